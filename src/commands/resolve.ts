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
import type { Diagnostic, Result } from '../text/diagnostic.ts';
import { connect } from './connecting/connect.ts';
import type { CommandContext } from './invocation/context.ts';
import { type ExitCode, exitCode } from './invocation/exit-code.ts';
import { loadInputs } from './invocation/inputs.ts';
import { pendingElsewhere } from './recording/pending-elsewhere.ts';
import { readStateOf } from './recording/read-state.ts';
import { recordAndSave, recordForSave } from './recording/record-and-save.ts';
import {
  namesNothing,
  needsWord,
  notPending,
  unusableId,
  withoutState,
} from './recording/resolve-refusals.ts';
import { unconfirmedId } from './recording/unconfirmed-id.ts';
import { withStateOf } from './recording/with-state.ts';

export interface ResolveOptions {
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
  const inputs = await loadInputs(context);
  if (!inputs.ok) return refuse(context, inputs.diagnostics);
  const { catalog, environment } = inputs.value;
  const recorded = await readStateOf(environment);
  const isMissing = recorded.ok && recorded.value === undefined;
  const whenMissing = isMissing ? withoutState(await pendingElsewhere(context, catalog, address)) : undefined;
  const beginning = { operation: 'resolve', create: false, ...(whenMissing && { whenMissing }) };
  return withStateOf(environment, beginning, context, (session, signal) =>
    resolveLocked(context, inputs.value, session, signal, address, options),
  );
}

async function resolveLocked(
  context: CommandContext,
  inputs: Inputs,
  session: Session,
  signal: AbortSignal,
  address: string | undefined,
  options: ResolveOptions,
): Promise<ExitCode> {
  const { id, notCreated = false } = options;
  // Addresses are those that every other command prints: what `moved` renames counts as renamed.
  const moves = pendingMoves(inputs.catalog, session.state);
  const pending = entriesOf(fold(session.state, moves)).all('pending');
  if (address === undefined && id === undefined && !notCreated)
    return list(context, inputs, session.state, pending);
  if (address === undefined) return refuse(context, [namesNothing(context)]);
  const create = pending.find((each) => each.address === address);
  if (!create) {
    const elsewhere = await pendingElsewhere(context, inputs.catalog, address);
    return refuse(context, [notPending(address, pending, elsewhere)]);
  }
  if (id !== undefined && !isRecordId(id)) return refuse(context, [unusableId(id)]);
  if ((id !== undefined) === notCreated) return refuse(context, [needsWord(address, context)]);
  await recordForSave(session, moves);
  return id === undefined
    ? dismiss(context, inputs, session, create)
    : confirmId(context, inputs, session, signal, create, id, options);
}

async function list(
  context: CommandContext,
  inputs: Inputs,
  state: State,
  pending: readonly PendingCreate[],
): Promise<ExitCode> {
  const again = againIn(inputs, state);
  context.print(
    renderPending(
      pending.map((create) => ({ create, again: again(create) })),
      context.flags,
    ),
  );
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
  { address }: PendingCreate,
): Promise<ExitCode> {
  const saved = await recordAndSave(session, [{ type: 'create-rejected', address }]);
  const follows = whatFollows(address, catalog, session, context);
  return finish(context, saved, `${address} is no longer pending; ${follows}.\n`);
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
  pending: PendingCreate,
  id: string,
  { passwordStdin = false }: ResolveOptions,
): Promise<ExitCode> {
  const service = await connect(environment, { parallel: 1, passwordStdin, signal }, context);
  if (!service.ok) return refuse(context, service.diagnostics);
  try {
    // Whoever removed the lock while a password was waited for may have settled it already.
    const still = await session.verify();
    if (!still.ok) return refuse(context, still.diagnostics);
    const { entries } = session;
    const recorder = {
      entries,
      current: session.current,
      record: (event: StateEvent) => recordForSave(session, [event]),
      verify: session.verify,
    };
    const ports = { catalog, environment, service: service.value, recorder, now: context.io.now, signal };
    const confirmed = await confirmPending(pending, id, ports);
    const saved = await session.save();
    const complaint = unconfirmedId(confirmed, id, pending.address, environment, context);
    const exit = complaint
      ? refuse(context, [complaint, ...(saved.ok ? [] : saved.diagnostics)])
      : finish(context, saved, `${pending.address} is recorded as ${id}.\n`);
    if (signal.aborted && exit !== exitCode.done) return exitCode.interrupted;
    return isUnproven(confirmed) ? exitCode.unknown : exit;
  } finally {
    await service.value.close();
  }
}

/** No answer says that the id is another one's, so that the create is as unknown as before. */
function isUnproven(confirmed: Confirmed): boolean {
  return (
    confirmed.kind === 'unseen' ||
    (confirmed.kind === 'distrusted' && confirmed.distrust.code !== 'no-options')
  );
}

function finish(context: CommandContext, saved: Result<unknown>, message: string): ExitCode {
  if (!saved.ok) return refuse(context, saved.diagnostics);
  context.print(message);
  return exitCode.done;
}

function refuse(context: CommandContext, diagnostics: readonly Diagnostic[]): ExitCode {
  context.complain(diagnostics);
  return exitCode.error;
}
