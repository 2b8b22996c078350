import { type Address, isReservedKey, keyOf, parseAddress } from '../catalog/model.ts';
import { renderMoved } from '../render/state-text.ts';
import { recordedEntries } from '../state/entries.ts';
import type { State } from '../state/model.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import type { CommandContext } from './invocation/context.ts';
import { type ExitCode, exitCode } from './invocation/exit-code.ts';
import { declaredInCatalog } from './recording/declared-in-catalog.ts';
import { recordAndSave } from './recording/record-and-save.ts';
import { unknownAddress } from './recording/unknown-address.ts';
import { withState } from './recording/with-state.ts';

/** `trove state mv FROM TO`: what is recorded under one address is recorded under another from now on. */
export async function stateMove(context: CommandContext, from: string, to: string): Promise<ExitCode> {
  return withState(context, 'state mv', async (session) => {
    const problem = whyNot(from, to, session.state, context);
    if (problem) {
      context.complain([problem]);
      return exitCode.error;
    }
    const move = { from: from as Address, to: to as Address };
    const saved = await recordAndSave(session, [{ type: 'moved', ...move }]);
    if (!saved.ok) {
      context.complain(saved.diagnostics);
      return exitCode.error;
    }
    const isDeclared = await declaredInCatalog(context);
    const declared = { from: isDeclared(from), to: isDeclared(to) };
    context.print(renderMoved({ ...move, declared, flags: context.flags }));
    return exitCode.done;
  });
}

function whyNot(from: string, to: string, state: State, context: CommandContext): Diagnostic | undefined {
  const entries = recordedEntries(state);
  const [there, here] = [to, from].map((address) => entries.filter((entry) => entry.address === address));
  if (!here?.length) return unknownAddress(from, state, context);
  const target = parseAddress(to);
  if (!target || target.option !== undefined) {
    const hint = 'an address is a kind and a key: item.iron-sword';
    return error('not-an-address', 'this is no address of an item or a classifier', { subject: to, hint });
  }
  if (from.split('.', 1)[0] !== to.split('.', 1)[0]) {
    return error(
      'other-kind',
      `${from} can't become ${to}: an item stays an item, and a classifier a classifier`,
    );
  }
  if (isReservedKey(keyOf(to))) {
    const hint = 'trove probe keeps its records there; give it another key';
    return error('reserved-key', 'this key is reserved', { subject: to, hint });
  }
  // A retired record there is only an older one of the same address, unless both are.
  const isLive = here.some(({ status }) => status !== 'retired');
  const isFree = there?.every(({ status }) => status === 'retired' && isLive);
  if (isFree) return undefined;
  const hint = `what is recorded there: trove state show ${to}${context.flags}`;
  return error('address-taken', `${to} is recorded already, so ${from} can't be moved there`, {
    subject: to,
    hint,
  });
}
