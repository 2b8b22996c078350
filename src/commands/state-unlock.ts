import { randomUUID } from 'node:crypto';
import { askToUnlock } from '../render/questions.ts';
import { renderUnlocked } from '../render/state-text.ts';
import type { FileStore } from '../state/file/store.ts';
import { currentOwner } from '../state/lock-owner.ts';
import type { Problems } from '../text/problems.ts';
import { version } from '../version.ts';
import type { CommandContext } from './context.ts';
import { loadEnvironmentOnly } from './environments.ts';
import { exitCode, orFail, refuse } from './exit-code.ts';
import { askFirst, hasTerminal } from './prompt.ts';
import { stateStore } from './state.ts';

/**
 * `trove state unlock`: removes a lock that a run left behind; with `--force` also that of a run which may still be going
 * on, after asking where it surely is.
 */
export async function stateUnlock(
  context: CommandContext,
  { force = false, yes = false }: { readonly force?: boolean; readonly yes?: boolean },
): Promise<void> {
  const environment = orFail(await loadEnvironmentOnly(context));
  const store = stateStore(environment);
  const found = orFail(await store.inspectLock());
  if (found.kind === 'free') return context.print(renderUnlocked(undefined));
  const { owner } = found;
  const isAlive = found.standing === 'alive';
  if (found.standing !== 'gone' && !force) refuseLocked(store, { why: 'running', isAlive, owner });
  if (isAlive && !yes) {
    if (!hasTerminal(context)) refuseLocked(store, { why: 'alive', owner });
    const { warning, ...asking } = askToUnlock(owner, context.flags);
    context.note(warning);
    await askFirst(context, asking);
  }
  const since = context.io.now().toISOString();
  const by = await currentOwner({ id: randomUUID(), operation: 'state unlock', since, version });
  const outcome = orFail(await store.unlock(by, found.owner, force));
  if (outcome.kind === 'held') refuseLocked(store, { why: 'taken', owner: outcome.owner });
  if (outcome.kind === 'busy')
    refuseLocked(store, {
      why: 'stepping',
      isAlive: outcome.standing === 'alive',
      owner: outcome.owner,
    });
  context.print(renderUnlocked(outcome.kind === 'removed' ? found : undefined));
}

function refuseLocked({ path }: FileStore, locked: Problems['locked']): never {
  return refuse('locked', locked, { subject: path }, exitCode.locked);
}
