import { type Address, isReservedKey, keyOf, parseAddress } from '../catalog/model.ts';
import { applyOverrides } from '../environment/apply-overrides.ts';
import { renderForgetting, renderForgotten, renderMoved } from '../render/state-text.ts';
import { recordedEntries } from '../state/entries.ts';
import type { State, StateEntry } from '../state/model.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import type { CommandContext } from './context.ts';
import { loadCatalogOnly, loadEnvironmentOnly } from './environments.ts';
import { type ExitCode, exitCode, fail, orFail } from './exit-code.ts';
import { recordAndSave, withState } from './locked-state.ts';
import { askFirst, unasked } from './prompt.ts';
import { unknownAddress } from './state.ts';

/** `trove state mv FROM TO`: what is recorded under one address is recorded under another from now on. */
export async function stateMove(context: CommandContext, from: string, to: string): Promise<ExitCode> {
  return withState(context, 'state mv', async (session) => {
    const problem = whyNot(from, to, session.state, context);
    if (problem) fail([problem]);
    const move = { from: from as Address, to: to as Address };
    orFail(await recordAndSave(session, [{ type: 'moved', ...move }]));
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
    const message = `${from} can't become ${to}: an item stays an item, and a classifier a classifier`;
    return error('other-kind', message);
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
  const message = `${to} is recorded already, so ${from} can't be moved there`;
  return error('address-taken', message, { subject: to, hint });
}

/** `trove state forget ADDRESS`: the one command that loses ids on purpose, so it prints them first. */
export async function stateForget(
  context: CommandContext,
  wanted: string,
  { yes = false }: { readonly yes?: boolean },
): Promise<ExitCode> {
  return withState(context, 'state forget', async (session) => {
    const entries = recordedEntries(session.state).filter((entry) => entry.address === wanted);
    const [first] = entries;
    if (!first) return fail([unknownAddress(wanted, session.state, context)]);
    if (entries.some(({ status }) => status === 'pending')) fail([stillPending(first, context)]);
    const { address } = first;
    const isDeclared = (await declaredInCatalog(context))(address);
    context.print(renderForgetting(address, entries, isDeclared));
    const otherwise = 'Nothing was forgotten.';
    const refusal = unasked(otherwise, `trove state forget ${address}${context.flags} --yes`);
    if (!yes) await askFirst(context, { question: `\nForget ${address}?`, otherwise, refusal });
    const at = context.io.now().toISOString();
    orFail(await recordAndSave(session, [{ type: 'forgotten', address, at }]));
    context.print(renderForgotten(first, isDeclared, context.flags));
    return exitCode.done;
  });
}

function stillPending({ address }: StateEntry, { flags }: CommandContext): Diagnostic {
  const message = 'a create of it was sent, and nobody saw what became of it: that is not forgotten';
  const hint = `if the service does not have it: trove resolve ${address}${flags} --not-created`;
  return error('pending-create', message, { subject: address, hint });
}

/** Whether the environment declares an address; `undefined` throughout where its catalog is not valid now. */
async function declaredInCatalog(context: CommandContext): Promise<(address: string) => boolean | undefined> {
  const loaded = await loadCatalogOnly(context);
  const environment = await loadEnvironmentOnly(context);
  if (!loaded.ok || !environment.ok) return () => undefined;
  const { catalog, problems } = applyOverrides(loaded.value, environment.value);
  if (problems.length > 0) return () => undefined;
  return (address) => {
    const [kind = '', key = ''] = address.split('.');
    return kind === 'item' ? catalog.items.has(key) : catalog.classifiers.has(key);
  };
}
