import { type Confirmed, confirmPending } from '../apply/confirm-pending.ts';
import { type Address, type Catalog, isReservedKey, keyOf } from '../catalog/model.ts';
import { isRecordId } from '../contract/limits.ts';
import type { Inputs } from '../environment/join-inputs.ts';
import { clientIds } from '../plan/client-id.ts';
import { makePlan } from '../plan/make-plan.ts';
import { pendingMoves } from '../plan/moves.ts';
import { distrustText, seenText } from '../render/messages/seen-text.ts';
import { renderServiceError } from '../render/service-error.ts';
import { renderPending } from '../render/state-show-text.ts';
import { isDeclared } from '../resources/registry.ts';
import { fold } from '../state/draft.ts';
import { entriesOf } from '../state/entries.ts';
import type { StateEvent } from '../state/event.ts';
import type { PendingCreate, State } from '../state/model.ts';
import type { Session } from '../state/session.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { withService } from './client.ts';
import { type CommandContext, contextFor } from './context.ts';
import { loadInputs } from './environments.ts';
import { type ExitCode, exitCode, fail, orFail, refuse } from './exit-code.ts';
import { recordAndSave, recordForSave, withStateOf } from './locked-state.ts';

interface ResolveOptions {
  readonly id?: string;
  readonly notCreated?: boolean;
  readonly passwordStdin?: boolean;
}

/** A create that is settled, in a session that holds the lock. */
interface Settling extends Inputs {
  readonly context: CommandContext;
  readonly session: Session;
  readonly signal: AbortSignal;
  readonly moves: readonly StateEvent[];
  readonly create: PendingCreate;
}

/** `trove resolve [ADDRESS]`: a person settles a create whose response was lost. */
export async function resolve(
  context: CommandContext,
  address: string | undefined,
  options: ResolveOptions,
): Promise<ExitCode> {
  const inputs = orFail(await loadInputs(context));
  const whenMissing = `without one nothing is pending; if it is mislaid, put it back first; ${otherEnvironments(context)}`;
  const opening = { operation: 'resolve', create: false, whenMissing };
  return withStateOf(inputs.environment, opening, context, async (session, signal) => {
    // Addresses are those that every other command prints: what `moved` renames counts as renamed.
    const moves = pendingMoves(inputs.catalog, session.state);
    const pending = entriesOf(fold(session.state, moves)).all('pending');
    const { id, notCreated = false } = options;
    if (address === undefined && id === undefined && !notCreated)
      return list(context, inputs, session.state, pending);
    const create = pendingAt(address, pending, context);
    checkWord(create.address, options, context);
    const settling = { ...inputs, context, session, signal, moves, create };
    return id === undefined ? dismiss(settling) : confirmId(settling, id, options);
  });
}

function pendingAt(
  address: string | undefined,
  pending: readonly PendingCreate[],
  context: CommandContext,
): PendingCreate {
  if (address === undefined) {
    const hint = `for the addresses that wait: trove resolve${context.flags}`;
    return refuse('no-address', 'say of which create: an address comes first', { hint });
  }
  const create = pending.find((each) => each.address === address);
  if (create) return create;
  const known = pending.map((each) => each.address).join(', ');
  const hint = `${known ? `pending: ${known}` : 'no create is pending'}; ${otherEnvironments(context)}`;
  return refuse('not-pending', 'no pending create for this address', { subject: address, hint });
}

function checkWord(address: Address, { id, notCreated = false }: ResolveOptions, { flags }: CommandContext) {
  if (id !== undefined && !isRecordId(id)) {
    const hint = 'an id has 1 to 191 characters, as the service answers it';
    refuse('unusable-id', "this can't be the id of a record", { subject: id, hint });
  }
  if ((id === undefined) === notCreated) return;
  const command = `trove resolve ${address}${flags}`;
  const hint = `${command} --id ID, or ${command} --not-created`;
  const message = 'say what became of it: exactly one of --id and --not-created';
  refuse('no-word', message, { subject: address, hint });
}

function otherEnvironments(context: CommandContext): string {
  const { flags } = contextFor('local', context);
  return `for other environments: trove env list${flags}`;
}

/** Apply sends again what it has planned, whatever the service does; the records of a probe are in no plan. */
function list(
  context: CommandContext,
  inputs: Inputs,
  state: State,
  pending: readonly PendingCreate[],
): ExitCode {
  const { changes } = makePlan({ ...inputs, state });
  const planned = new Set(changes.flatMap(({ address, requests }) => (requests.length > 0 ? [address] : [])));
  const ids = clientIds(inputs.environment, state);
  const listed = pending.map((create) => {
    const key = keyOf(create.address);
    const again = ids.again(create);
    const isSent = isReservedKey(key) || planned.has(create.address);
    const mayBe = isSent || (again === 'perhaps' && inputs.catalog.items.has(key));
    return { create, again: mayBe ? again : ('never' as const) };
  });
  context.print(renderPending(listed, context.flags));
  return pending.length > 0 ? exitCode.unknown : exitCode.done;
}

async function dismiss({ context, catalog, session, moves, create }: Settling): Promise<ExitCode> {
  const { address } = create;
  orFail(await recordAndSave(session, [...moves, { type: 'create-rejected', address }]));
  const inUse = session.entries.find('live', address)?.id;
  const follows =
    inUse === undefined
      ? whoCreates(address, catalog)
      : `its record ${inUse} stays in use.\nTo replace it after all: trove apply${context.flags} --replace ${address}`;
  context.print(`${address} is no longer pending; ${follows}.\n`);
  return exitCode.done;
}

function whoCreates(address: Address, catalog: Catalog): string {
  if (isReservedKey(keyOf(address))) return 'the next probe creates it';
  return isDeclared(catalog, address)
    ? 'the next apply creates it'
    : 'it is not declared, so nothing creates it';
}

/** The id is believed only once the service has answered an update of it. */
function confirmId(
  settling: Settling,
  id: string,
  { passwordStdin = false }: ResolveOptions,
): Promise<ExitCode> {
  const { context, catalog, environment, session, signal, moves, create } = settling;
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
    const problem = unconfirmedId(confirmed, id, settling);
    const problems = [...(problem ? [problem] : []), ...(saved.ok ? [] : saved.diagnostics)];
    if (signal.aborted && problems.length > 0) fail(problems, exitCode.interrupted);
    if (problems.length > 0) fail(problems, isUnproven(confirmed) ? exitCode.unknown : exitCode.error);
    context.print(`${create.address} is recorded as ${id}.\n`);
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
  { context: { flags }, environment, create: { address } }: Settling,
): Diagnostic | undefined {
  switch (confirmed.kind) {
    case 'answered':
    // The save that follows has what the journal could not take.
    case 'unrecorded':
      return undefined;
    case 'refused':
    case 'unseen': {
      const { message, hint } = renderServiceError(confirmed.error, environment.credentials);
      return error('service', message, { hint: `${hint} The create is still pending.` });
    }
    case 'held': {
      const message =
        confirmed.holder === address
          ? `${id} is a record that ${address} had before, so it is not what this create made`
          : `${id} is recorded as ${confirmed.holder}, and one record can't be two resources`;
      return error('held-id', message, { hint: 'check the id; nothing was sent' });
    }
    case 'distrusted': {
      const { distrust } = confirmed;
      const pending = 'check the id; the create is still pending';
      const anyway = `If it is the right one all the same: trove resolve ${address}${flags} --not-created, then trove import ${address} ${id}${flags}`;
      const hint = distrust.code === 'no-options' ? `${pending}. ${anyway}` : pending;
      return error('another-record', distrustText(distrust), { hint });
    }
    case 'stopped':
      return error('interrupted', 'nothing was sent', { hint: 'the create is still pending' });
  }
}
