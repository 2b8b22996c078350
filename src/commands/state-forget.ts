import { renderForgetting, renderForgotten } from '../render/state-text.ts';
import { recordedEntries } from '../state/entries.ts';
import type { StateEntry } from '../state/model.ts';
import type { Session } from '../state/session.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { askFirst, unasked } from './asking/ask-first.ts';
import type { CommandContext } from './invocation/context.ts';
import { type ExitCode, exitCode } from './invocation/exit-code.ts';
import { declaredInCatalog } from './recording/declared-in-catalog.ts';
import { recordAndSave } from './recording/record-and-save.ts';
import { unknownAddress } from './recording/unknown-address.ts';
import { withState } from './recording/with-state.ts';

/** `trove state forget ADDRESS`: the one command that loses ids on purpose, so it prints them first. */
export async function stateForget(
  context: CommandContext,
  address: string,
  { yes = false }: { readonly yes?: boolean },
): Promise<ExitCode> {
  return withState(context, 'state forget', (session) => forget(context, session, address, yes));
}

async function forget(
  context: CommandContext,
  session: Session,
  wanted: string,
  yes: boolean,
): Promise<ExitCode> {
  const entries = recordedEntries(session.state).filter(({ address }) => address === wanted);
  const [first] = entries;
  if (!first) return refuse(context, [unknownAddress(wanted, session.state, context)]);
  if (entries.some(({ status }) => status === 'pending'))
    return refuse(context, [stillPending(first, context)]);
  const { address } = first;
  const isDeclared = (await declaredInCatalog(context))(address);
  context.print(renderForgetting(address, entries, isDeclared));
  const agreed = yes ? undefined : await ask(context, address);
  if (agreed !== undefined) return agreed;
  const saved = await recordAndSave(session, [
    { type: 'forgotten', address, at: context.io.now().toISOString() },
  ]);
  if (!saved.ok) return refuse(context, saved.diagnostics);
  context.print(renderForgotten(first, isDeclared, context.flags));
  return exitCode.done;
}

function ask(context: CommandContext, address: string): Promise<ExitCode | undefined> {
  const otherwise = 'Nothing was forgotten.';
  return askFirst(context, {
    question: `\nForget ${address}?`,
    otherwise,
    refusal: unasked(otherwise, `trove state forget ${address}${context.flags} --yes`),
  });
}

function stillPending({ address }: StateEntry, { flags }: CommandContext): Diagnostic {
  const message = 'a create of it was sent, and nobody saw what became of it: that is not forgotten';
  const hint = `if the service does not have it: trove resolve ${address}${flags} --not-created`;
  return error('pending-create', message, { subject: address, hint });
}

function refuse(context: CommandContext, diagnostics: readonly Diagnostic[]): ExitCode {
  context.complain(diagnostics);
  return exitCode.error;
}
