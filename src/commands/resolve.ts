import { type Confirmed, confirmPending } from '../apply/confirm-pending.ts';
import { type Address, type Catalog, isReservedKey, type Kind } from '../catalog/model.ts';
import { isRecordId } from '../contract/limits.ts';
import type { Inputs } from '../environment/join-inputs.ts';
import { type SameIdAgain, sameIdAgain } from '../plan/create.ts';
import { makePlan } from '../plan/make-plan.ts';
import { pendingMoves } from '../plan/moves.ts';
import { renderPending } from '../render/state-show-text.ts';
import { declarationsOf } from '../resources/registry.ts';
import { fold } from '../state/draft.ts';
import { entriesOf } from '../state/entries.ts';
import type { StateEvent } from '../state/event.ts';
import type { PendingCreate, State } from '../state/model.ts';
import type { Session } from '../state/session.ts';
import { pluralize } from '../text/pluralize.ts';
import { connect } from './client.ts';
import { type CommandContext, contextFor } from './context.ts';
import { inParallel, loadInputs, namesOf } from './environments.ts';
import { type ExitCode, exitCode, fail, orFail } from './exit-code.ts';
import { recordAndSave, recordForSave, withStateOf } from './locked-state.ts';
import {
  namesNothing,
  needsWord,
  notPending,
  unconfirmedId,
  unusableId,
  withoutState,
} from './resolve-problems.ts';
import { readState, readStateOf } from './state.ts';

interface ResolveOptions {
  readonly id?: string;
  readonly notCreated?: boolean;
  readonly passwordStdin?: boolean;
}

/** `trove resolve [ADDRESS]`: a person says what became of a create whose outcome nobody saw. */
export async function resolve(
  context: CommandContext,
  address: string | undefined,
  options: ResolveOptions,
): Promise<ExitCode> {
  const inputs = orFail(await loadInputs(context));
  const { catalog, environment } = inputs;
  const recorded = await readStateOf(environment);
  const isMissing = recorded.ok && recorded.value === undefined;
  const whenMissing = isMissing ? withoutState(await pendingElsewhere(context, catalog, address)) : undefined;
  const beginning = { operation: 'resolve', create: false, ...(whenMissing && { whenMissing }) };
  const { id, notCreated = false } = options;
  return withStateOf(environment, beginning, context, async (session, signal) => {
    // Addresses are those that every other command prints: what `moved` renames counts as renamed.
    const moves = pendingMoves(catalog, session.state);
    const pending = entriesOf(fold(session.state, moves)).all('pending');
    if (address === undefined && id === undefined && !notCreated)
      return list(context, inputs, session.state, pending);
    if (address === undefined) return fail([namesNothing(context)]);
    const create = pending.find((each) => each.address === address);
    if (!create)
      return fail([notPending(address, pending, await pendingElsewhere(context, catalog, address))]);
    if (id !== undefined && !isRecordId(id)) fail([unusableId(id)]);
    if ((id !== undefined) === notCreated) fail([needsWord(address, context)]);
    return id === undefined
      ? dismiss(context, inputs, session, moves, create)
      : confirmId(context, inputs, session, signal, moves, create, id, options);
  });
}

async function list(
  context: CommandContext,
  inputs: Inputs,
  state: State,
  pending: readonly PendingCreate[],
): Promise<ExitCode> {
  const again = againIn(inputs, state);
  const listed = pending.map((create) => ({ create, again: again(create) }));
  context.print(renderPending(listed, context.flags));
  if (pending.length > 0) return exitCode.unknown;
  const elsewhere = await pendingElsewhere(context, inputs.catalog, undefined);
  if (elsewhere.length > 0) context.note(`In other environments: ${elsewhere.join(', ')}\n`);
  return exitCode.done;
}

/** Apply sends again what it has planned, whatever the service does; the records of a probe are in no plan. */
function againIn(inputs: Inputs, state: State): (create: PendingCreate) => SameIdAgain {
  const { changes } = makePlan({ ...inputs, state });
  const planned = new Set(changes.flatMap(({ address, requests }) => (requests.length > 0 ? [address] : [])));
  return (create) => {
    const [, key = ''] = create.address.split('.');
    const again = sameIdAgain(create, inputs.environment, state);
    if (isReservedKey(key) || planned.has(create.address)) return again;
    return again === 'perhaps' && inputs.catalog.items.has(key) ? again : 'never';
  };
}

async function dismiss(
  context: CommandContext,
  { catalog }: Inputs,
  session: Session,
  moves: readonly StateEvent[],
  { address }: PendingCreate,
): Promise<ExitCode> {
  orFail(await recordAndSave(session, [...moves, { type: 'create-rejected', address }]));
  context.print(`${address} is no longer pending; ${whatFollows(address, catalog, session, context)}.\n`);
  return exitCode.done;
}

function whatFollows(
  address: Address,
  catalog: Catalog,
  session: Session,
  { flags }: CommandContext,
): string {
  const [kind, key] = address.split('.') as [Kind, string];
  const inUse = session.entries.find('live', address)?.id;
  if (inUse !== undefined)
    return `its record ${inUse} stays in use.\nTo replace it after all: trove apply${flags} --replace ${address}`;
  if (isReservedKey(key)) return 'the next probe creates it';
  const isDeclared = declarationsOf(catalog, kind).has(key);
  return isDeclared ? 'the next apply creates it' : 'it is not declared, so nothing creates it';
}

/** The id is believed only once the service has answered an update of it. */
async function confirmId(
  context: CommandContext,
  { catalog, environment }: Inputs,
  session: Session,
  signal: AbortSignal,
  moves: readonly StateEvent[],
  pending: PendingCreate,
  id: string,
  { passwordStdin = false }: ResolveOptions,
): Promise<ExitCode> {
  const service = orFail(await connect(environment, { parallel: 1, passwordStdin, signal }, context));
  try {
    // Whoever removed the lock while a password was waited for may have settled it already.
    orFail(await session.verify());
    // Not before: from here on everything ends with a save, and what ends without one must leave no rename behind.
    await recordForSave(session, moves);
    const { entries } = session;
    const recorder = {
      entries,
      current: () => session.current(),
      record: (event: StateEvent) => recordForSave(session, [event]),
      verify: () => session.verify(),
    };
    const ports = { catalog, environment, service, recorder, now: context.io.now, signal };
    const confirmed = await confirmPending(pending, id, ports);
    const saved = await session.save();
    const problem = unconfirmedId(confirmed, id, pending.address, environment, context);
    const problems = [...(problem ? [problem] : []), ...(saved.ok ? [] : saved.diagnostics)];
    if (problems.length > 0) {
      if (signal.aborted) fail(problems, exitCode.interrupted);
      fail(problems, isUnproven(confirmed) ? exitCode.unknown : exitCode.error);
    }
    context.print(`${pending.address} is recorded as ${id}.\n`);
    return exitCode.done;
  } finally {
    await service.close();
  }
}

/** No answer says that the id is another one's, so that the create is as unknown as before. */
function isUnproven(confirmed: Confirmed): boolean {
  return (
    confirmed.kind === 'unseen' ||
    (confirmed.kind === 'distrusted' && confirmed.distrust.code !== 'no-options')
  );
}

const SHOWN = 5;

/**
 * What to type about the creates that wait in other environments of the catalog: of one address, or of all of them
 * where none is named. One that can't be read is left out, since nobody asked for it.
 */
async function pendingElsewhere(
  context: CommandContext,
  catalog: Catalog,
  address: string | undefined,
): Promise<readonly string[]> {
  const names = await namesOf(context);
  const others = names.filter((name) => name !== context.environmentName);
  const found = await inParallel(others, async (name) => {
    const own = contextFor(name, context);
    const { flags } = own;
    const read = await readState(own);
    const state = read.ok ? read.value.state : undefined;
    const pending = state ? entriesOf(fold(state, pendingMoves(catalog, state))).all('pending') : [];
    const isThere = pending.some((create) => address === undefined || create.address === address);
    if (!isThere) return [];
    return [address === undefined ? `trove resolve${flags}` : `trove resolve ${address}${flags}`];
  });
  const commands = found.flat();
  const rest = commands.length - SHOWN;
  return rest > 0 ? [...commands.slice(0, SHOWN), `and in ${pluralize(rest, 'more environment')}`] : commands;
}
