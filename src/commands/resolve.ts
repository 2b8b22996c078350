import { type Confirmed, confirmPending } from '../apply/recovery.ts';
import { type Address, isReservedKey, keyOf, kindOf } from '../catalog/model.ts';
import { isRecordId } from '../contract/api.ts';
import type { Inputs } from '../environment/join-inputs.ts';
import type { Environment } from '../environment/model.ts';
import { clientIds } from '../plan/client-id.ts';
import { makePlan } from '../plan/make-plan.ts';
import { pendingMoves } from '../plan/moves.ts';
import { whenMissing } from '../render/messages/plan-problems.ts';
import { distrustText, namesAny, seenText } from '../render/messages/seen-text.ts';
import { askToDismiss } from '../render/questions.ts';
import { serviceProblem } from '../render/service-error.ts';
import {
  renderDismissed,
  renderPending,
  renderPendingOnly,
  renderResolved,
  type StrayId,
} from '../render/state-show-text.ts';
import { isDeclared } from '../resources/registry.ts';
import { fold } from '../state/draft.ts';
import { type Entries, entriesOf } from '../state/entries.ts';
import { strayIds } from '../state/entry.ts';
import type { StateEvent } from '../state/event.ts';
import type { PendingCreate, State } from '../state/model.ts';
import type { Session } from '../state/session.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { withService } from './client.ts';
import type { CommandContext } from './context.ts';
import { loadInputs } from './environments.ts';
import { type ExitCode, exitCode, fail, failOn, orFail, refuse } from './exit-code.ts';
import { recordAndSave, recordForSave, withStateOf } from './locked-state.ts';
import { askFirst } from './prompt.ts';
import { lostWith, refusePlaceholder } from './state.ts';

interface ResolveOptions {
  readonly id?: string;
  readonly notCreated?: boolean;
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly passwordStdin?: boolean;
}

/** What settles creates: a session that holds the lock. */
interface Settling extends Inputs {
  readonly context: CommandContext;
  readonly session: Session;
  readonly signal: AbortSignal;
  readonly moves: readonly StateEvent[];
}

/** `trove resolve [ADDRESSES]`: a person settles creates whose responses were lost. */
export async function resolve(
  context: CommandContext,
  addresses: readonly string[],
  options: ResolveOptions,
): Promise<ExitCode> {
  const inputs = orFail(await loadInputs(context));
  const missing = whenMissing.resolve(context.catalogFolder);
  const opening = { operation: 'resolve', create: false, whenMissing: missing };
  return withStateOf(inputs.environment, opening, context, async (session, signal) => {
    // Addresses are those that every other command prints: what `moved` renames counts as renamed.
    const moves = pendingMoves(inputs.catalog, session.state);
    const entries = entriesOf(fold(session.state, moves));
    const pending = entries.all('pending');
    const { id, notCreated = false, all = false, yes } = options;
    if (addresses.length === 0 && id === undefined && !notCreated && !all)
      return list(context, inputs, session.state, entries);
    const creates = all ? [] : pendingAt(addresses, pending, context);
    checkWord(addresses, options);
    const settling = { ...inputs, context, session, signal, moves };
    const [create] = creates;
    if (id !== undefined && create) return confirmId(settling, create, id, options);
    return all ? dismissAll(settling, pending, yes) : dismiss(settling, creates);
  });
}

/** All but those whose responses name a record: that may be its only trace, which takes a look at each. */
async function dismissAll(
  settling: Settling,
  pending: readonly PendingCreate[],
  yes: boolean | undefined,
): Promise<ExitCode> {
  const { context } = settling;
  const { flags } = context;
  const silent = pending.filter((create) => !namesAny(create));
  const others = pending.filter(namesAny);
  context.print(renderPendingOnly(silent, others, flags));
  if (silent.length > 0) {
    await askFirst(context, { ...askToDismiss(silent.length, flags), yes });
    await dismiss(settling, silent);
  }
  return others.length > 0 ? exitCode.unknown : exitCode.done;
}

/** The pending creates of these addresses, each once. */
function pendingAt(
  addresses: readonly string[],
  pending: readonly PendingCreate[],
  { catalogFolder: catalog }: CommandContext,
): readonly PendingCreate[] {
  if (addresses.length === 0) refuse('no-address', {});
  const known = pending.map((each) => each.address);
  const others = addresses.filter((address) => !known.some((each) => each === address));
  failOn(others.map((subject) => error('not-pending', { pending: known, catalog }, { subject })));
  return pending.filter(({ address }) => addresses.includes(address));
}

function checkWord(addresses: readonly string[], { id, notCreated = false, all }: ResolveOptions) {
  const [address = '', ...others] = addresses;
  const isOne = others.length === 0;
  if (all && (address !== '' || id !== undefined || !notCreated)) refuse('no-word', { why: 'all' });
  if (!isOne && (id !== undefined || !notCreated)) refuse('no-word', { why: 'several', addresses });
  if (id !== undefined) refusePlaceholder(id);
  if (id !== undefined && !isRecordId(id)) refuse('unusable-id', {}, { subject: id });
  if ((id === undefined) !== notCreated) refuse('no-word', { why: 'one', address }, { subject: address });
}

/** Apply sends again what it has planned, whatever the service does; the records of a probe are in no plan. */
function list(context: CommandContext, inputs: Inputs, state: State, entries: Entries): ExitCode {
  const pending = entries.all('pending');
  const { changes } = makePlan({ ...inputs, state });
  const planned = new Set(changes.flatMap(({ address, requests }) => (requests.length > 0 ? [address] : [])));
  const ids = clientIds(inputs.environment, state);
  const listed = pending.map((create) => {
    const key = keyOf(create.address);
    const isSent = isReservedKey(key) || planned.has(create.address);
    return { create, isSettledNext: isSent && ids.settlesAgain(create) };
  });
  context.print(renderPending(listed, context.flags, straysFor(pending, entries)));
  return pending.length > 0 ? exitCode.unknown : exitCode.done;
}

/** IDs of the same kinds that no record has: proxies swap responses. */
function straysFor(pending: readonly PendingCreate[], entries: Entries): readonly StrayId[] {
  const kinds = new Set(pending.map(({ address }) => kindOf(address)));
  return (['live', 'imported', 'retired'] as const)
    .flatMap((status) => entries.all(status))
    .filter(({ address }) => kinds.has(kindOf(address)))
    .flatMap((entry) => strayIds(entry).map((id) => ({ address: entry.address, id })))
    .filter(({ address, id }) => entries.holderOf(kindOf(address), id) === undefined);
}

async function dismiss(
  { context, catalog, session, moves }: Settling,
  creates: readonly PendingCreate[],
): Promise<ExitCode> {
  const rejected = creates.map(({ address }) => ({ type: 'create-rejected', address }) as const);
  orFail(await recordAndSave(session, [...moves, ...rejected]));
  for (const create of creates) {
    const inUse = session.entries.find('live', create.address)?.id;
    const others = lostWith([create], session.entries);
    const dismissed = { create, inUse, isDeclared: isDeclared(catalog, create.address), others };
    context.print(renderDismissed(dismissed, context.flags));
  }
  return exitCode.done;
}

/** The id is believed only once the service has answered an update of it. */
function confirmId(
  { context, catalog, environment, session, signal, moves }: Settling,
  create: PendingCreate,
  id: string,
  { passwordStdin = false }: ResolveOptions,
): Promise<ExitCode> {
  return withService(environment, { parallel: 1, passwordStdin, signal }, context, async (service) => {
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
    const { now } = context.io;
    const ports = { catalog, environment, service, recorder, now, signal, seenText };
    const confirmed = await confirmPending(create, id, ports);
    const saved = await session.save();
    const problem = unconfirmedId(confirmed, id, create.address, environment, context.flags);
    const problems = [...(problem ? [problem] : []), ...(saved.ok ? [] : saved.diagnostics)];
    if (signal.aborted && problems.length > 0) fail(problems, exitCode.interrupted);
    if (problems.length > 0) fail(problems, isUnproven(confirmed) ? exitCode.unknown : exitCode.error);
    context.print(renderResolved(create, id));
    return exitCode.done;
  });
}

/** No answer says that the id is another one's, so that the create is as unknown as before. */
function isUnproven(confirmed: Confirmed): boolean {
  return (
    confirmed.kind === 'unseen' ||
    (confirmed.kind === 'distrusted' && confirmed.distrust.code !== 'no-options')
  );
}

/** Why an id that a person named for a pending create is not recorded; undefined if it is. */
function unconfirmedId(
  confirmed: Confirmed,
  id: string,
  address: Address,
  environment: Environment,
  flags: string,
): Diagnostic | undefined {
  switch (confirmed.kind) {
    case 'answered':
    // The save that follows has what the journal could not take.
    case 'unrecorded':
      return undefined;
    case 'refused':
    case 'unseen':
      return serviceProblem(confirmed.error, environment.credentials, { pending: address, flags });
    case 'held':
      return error('held-id', { why: confirmed.why, id, address, holder: confirmed.holder });
    case 'distrusted': {
      const { distrust } = confirmed;
      return error('another-record', { why: distrust.code, reason: distrustText(distrust), address, id });
    }
    case 'stopped':
      return error('interrupted', { isPending: true });
  }
}
