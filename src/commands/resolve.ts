import { adopt } from '../apply/adopt.ts';
import type { Address, Catalog, Kind } from '../catalog/model.ts';
import { isReservedKey } from '../catalog/reserved-keys.ts';
import { isRecordId } from '../contract/limits.ts';
import type { Inputs } from '../environment/join-inputs.ts';
import { pendingMoves } from '../plan/moves.ts';
import { renderPending } from '../render/pending-text.ts';
import { declarationsOf } from '../resources/registry.ts';
import type { StateEvent } from '../state/event.ts';
import type { PendingCreate } from '../state/model.ts';
import { fold } from '../state/reduce.ts';
import type { Session } from '../state/session.ts';
import { type Diagnostic, error, type Result } from '../text/diagnostic.ts';
import { connect } from './connecting/connect.ts';
import type { CommandContext } from './invocation/context.ts';
import { type ExitCode, exitCode } from './invocation/exit-code.ts';
import { loadInputs } from './invocation/inputs.ts';
import { adoptionComplaint } from './recording/adoption-complaint.ts';
import { recordAndSave, recordForSave } from './recording/record-and-save.ts';
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
  const { environment } = inputs.value;
  return withStateOf(environment, { operation: 'resolve', create: false }, context, (session) =>
    resolveLocked(context, inputs.value, session, address, options),
  );
}

async function resolveLocked(
  context: CommandContext,
  inputs: Inputs,
  session: Session,
  address: string | undefined,
  options: ResolveOptions,
): Promise<ExitCode> {
  const { id, notCreated = false } = options;
  // Addresses are those that every other command prints: what `moved` renames counts as renamed.
  const moves = pendingMoves(inputs.catalog, session.state);
  const { pending } = fold(session.state, moves);
  if (address === undefined && id === undefined && !notCreated) return list(context, pending);
  if (address === undefined) return refuse(context, [namesNothing(context)]);
  const create = pending.find((each) => each.address === address);
  if (!create) return refuse(context, [notPending(address, pending)]);
  if (id !== undefined && !isRecordId(id)) return refuse(context, [unusableId(id)]);
  if ((id !== undefined) === notCreated) return refuse(context, [needsWord(address, context)]);
  await recordForSave(session, moves);
  return id === undefined
    ? dismiss(context, inputs, session, create)
    : confirmId(context, inputs, session, create, id, options);
}

function list(context: CommandContext, pending: readonly PendingCreate[]): ExitCode {
  context.print(renderPending(pending, context.flags));
  return pending.length > 0 ? exitCode.unknown : exitCode.done;
}

async function dismiss(
  context: CommandContext,
  { catalog }: Inputs,
  session: Session,
  { address }: PendingCreate,
): Promise<ExitCode> {
  const saved = await recordAndSave(session, [{ type: 'not-taken', address }]);
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
  const inUse = session.get(address)?.id;
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
  pending: PendingCreate,
  id: string,
  { passwordStdin = false }: ResolveOptions,
): Promise<ExitCode> {
  const service = await connect(environment, { parallel: 1, passwordStdin }, context);
  if (!service.ok) return refuse(context, service.diagnostics);
  try {
    const recorder = { ...session, record: (event: StateEvent) => recordForSave(session, [event]) };
    const ports = { catalog, environment, service: service.value, recorder, now: context.io.now };
    const adopted = await adopt(pending, id, ports);
    const complaint = adoptionComplaint(adopted, id, pending.address, environment, context);
    if (complaint) return refuse(context, [complaint]);
    return finish(context, await session.save(), `${pending.address} is recorded as ${id}.\n`);
  } finally {
    await service.value.close();
  }
}

function finish(context: CommandContext, saved: Result<unknown>, message: string): ExitCode {
  if (!saved.ok) return refuse(context, saved.diagnostics);
  context.print(message);
  return exitCode.done;
}

function unusableId(id: string): Diagnostic {
  const hint = 'an id has 1 to 191 characters, as the service answers it';
  return error('unusable-id', "this can't be the id of a record", { subject: id, hint });
}

function notPending(address: string, pending: readonly PendingCreate[]): Diagnostic {
  const known = pending.map((create) => create.address).join(', ');
  const hint = known ? `pending: ${known}` : 'no create is pending';
  return error('not-pending', 'no create with this address is waiting for a word', {
    subject: address,
    hint,
  });
}

function namesNothing({ flags }: CommandContext): Diagnostic {
  const hint = `for the addresses that wait: trove resolve${flags}`;
  return error('no-address', 'say of which create: an address comes first', { hint });
}

function needsWord(address: string, { flags }: CommandContext): Diagnostic {
  const hint = `trove resolve ${address}${flags} --id ID, or trove resolve ${address}${flags} --not-created`;
  return error('no-word', 'say what became of it: exactly one of --id and --not-created', {
    subject: address,
    hint,
  });
}

function refuse(context: CommandContext, diagnostics: readonly Diagnostic[]): ExitCode {
  context.complain(diagnostics);
  return exitCode.error;
}
