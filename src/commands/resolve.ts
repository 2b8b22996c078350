import { type Adoption, adopt } from '../apply/adopt.ts';
import { isReservedKey } from '../catalog/reserved-keys.ts';
import { isRecordId } from '../contract/limits.ts';
import type { Inputs } from '../environment/join-inputs.ts';
import type { Environment } from '../environment/model.ts';
import { renderPending } from '../render/pending-text.ts';
import { renderServiceError } from '../render/service-error.ts';
import type { PendingCreate } from '../state/model.ts';
import type { Session } from '../state/session.ts';
import { type Diagnostic, error, type Result } from '../text/diagnostic.ts';
import { connect } from './connect.ts';
import type { CommandContext } from './context.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { loadInputs } from './inputs.ts';
import { openState } from './open-state.ts';

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
  const opened = await openState(inputs.value.environment, { operation: 'resolve', create: false }, context);
  if (!opened.ok) return opened.exit;
  const { session } = opened;
  try {
    const { pending } = session.state;
    if (address === undefined) return list(context, pending);
    const create = pending.find((each) => each.address === address);
    if (!create) return refuse(context, [notPending(address, pending)]);
    if (options.id !== undefined && !isRecordId(options.id)) return refuse(context, [unusableId(options.id)]);
    if ((options.id === undefined) === (options.notCreated !== true))
      return refuse(context, [needsWord(address, context)]);
    return options.id === undefined
      ? await dismiss(context, session, create)
      : await confirmId(context, inputs.value, session, create, options.id, options);
  } finally {
    await session.close();
  }
}

function list(context: CommandContext, pending: readonly PendingCreate[]): ExitCode {
  context.print(renderPending(pending, context.flags));
  return pending.length > 0 ? exitCode.unknown : exitCode.done;
}

async function dismiss(
  context: CommandContext,
  session: Session,
  { address }: PendingCreate,
): Promise<ExitCode> {
  await session.record({ type: 'not-taken', address });
  const creator = isReservedKey(address.slice(address.indexOf('.') + 1)) ? 'probe' : 'apply';
  return finish(
    context,
    await session.save(),
    `${address} is no longer pending; the next ${creator} creates it.\n`,
  );
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
    const ports = { catalog, environment, service: service.value, recorder: session, now: context.io.now };
    const adopted = await adopt(pending, id, ports);
    const complaint = complaintOf(adopted, id, environment);
    if (complaint) return refuse(context, [complaint]);
    return finish(context, await session.save(), `${pending.address} is recorded as ${id}.\n`);
  } finally {
    await service.value.close();
  }
}

function complaintOf(adoption: Adoption, id: string, { credentials }: Environment): Diagnostic | undefined {
  switch (adoption.kind) {
    case 'adopted':
      return undefined;
    case 'failed': {
      const { message, hint } = renderServiceError(adoption.error, credentials);
      return error('service', message, { hint: `${hint} The create is still pending.` });
    }
    case 'held': {
      const message = `${id} is recorded as ${adoption.holder}, and one record can't be two resources`;
      return error('held-id', message, { hint: 'check the id; nothing was sent' });
    }
    case 'another': {
      const message = `the update of ${id} was answered for record ${adoption.id} of team ${adoption.teamId}`;
      return error('another-record', message, { hint: 'check the id; the create is still pending' });
    }
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
