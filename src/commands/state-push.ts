import { resolve } from 'node:path';
import { targetOf } from '../plan/make-plan.ts';
import { renderLost, renderPushed } from '../render/state-text.ts';
import type { NewestVersion } from '../state/file/newest-version.ts';
import { FileStore } from '../state/file/store.ts';
import { formatState } from '../state/format.ts';
import type { State, Target } from '../state/model.ts';
import { assertTarget, isOlder, type ReplacementRisks, replacementRisks } from '../state/version.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { type CommandContext, workingFolder } from './context.ts';
import { loadEnvironmentOnly } from './environments.ts';
import { type ExitCode, exitCode, fail, orFail } from './exit-code.ts';
import { withStateOf } from './locked-state.ts';
import { newestHere, olderThan } from './state.ts';

const LOST_SHOWN = 10;

/** `trove state push FILE`: replaces the state by a file, or puts it back where none is. */
export async function statePush(
  context: CommandContext,
  file: string,
  { force = false }: { readonly force?: boolean },
): Promise<ExitCode> {
  const environment = orFail(await loadEnvironmentOnly(context));
  const replacement = await readStateFile(file, targetOf(environment), context);
  const initial = { ...replacement, serial: 0 };
  const newest = await newestHere(environment, context);
  const beginning = { operation: 'state push', create: true, initial, takesOlder: true };
  return withStateOf(environment, beginning, context, async (session) => {
    const isSame = !session.isNew && formatState(session.state) === formatState(replacement);
    if (isSame && !isOlder(replacement, newest)) {
      context.print('The state is the same already; nothing was changed.\n');
      return exitCode.done;
    }
    const risks = replacementRisks(session.state, replacement);
    const objections = [
      ...olderThanHere(risks, replacement, newest, context),
      ...objectionsTo(risks, session.state, replacement, context),
    ].map((objection) => ({ ...objection, subject: file }));
    if (objections.length > 0 && !force) fail(objections);
    const saved = orFail(await session.save(() => replacement));
    context.print(renderPushed(saved) + renderLost(risks));
    return exitCode.done;
  });
}

/** If the state itself is newer too, that is reported instead. */
function olderThanHere(
  { lowerSerial }: ReplacementRisks,
  replacement: State,
  newest: NewestVersion | undefined,
  { flags }: CommandContext,
): readonly Diagnostic[] {
  if (lowerSerial || !newest || !isOlder(replacement, newest)) return [];
  const hint = `if the newer version is lost for good, copy this file to its place instead: trove apply${flags} --recover then looks for what it does not know; if it is right all the same, repeat this with --force`;
  return [error('older-state', olderThan(replacement.serial, newest), { hint })];
}

/** A file of another target is refused whatever a person says: its ids mean nothing here. */
async function readStateFile(file: string, target: Target, { io }: CommandContext): Promise<State> {
  const read = await new FileStore({ path: resolve(io.cwd, file), within: workingFolder(io) }).read();
  if (!read.ok) return fail(read.diagnostics.map((problem) => ({ ...problem, subject: file })));
  if (!read.value) return fail([error('unreadable', 'there is no such file', { subject: file })]);
  const foreign = assertTarget(read.value, target);
  return foreign ? fail([{ ...foreign, subject: file }]) : read.value;
}

function objectionsTo(
  { otherLineage, lowerSerial, lost }: ReplacementRisks,
  recorded: State,
  replacement: State,
  { flags }: CommandContext,
): readonly Diagnostic[] {
  const pull = `begin with what is recorded now: trove state pull${flags}`;
  const lineage = 'it is the state of another history: the lineages differ';
  const serial = `it is older than the state: its serial is ${replacement.serial}, and the state has ${recorded.serial}`;
  const rest = lost.length - LOST_SHOWN;
  return [
    ...(otherLineage ? [error('other-lineage', lineage, { hint: pull })] : []),
    ...(lowerSerial ? [error('older-state', serial, { hint: pull })] : []),
    ...lost.slice(0, LOST_SHOWN).map((each) => error('lost-id', wouldLose(each), { hint: orForce })),
    ...(rest > 0 ? [error('lost-id', `${rest} more would be lost like this`, { hint: orForce })] : []),
  ];
}

const orForce = 'put it into the file, or lose it on purpose with --force';

function wouldLose({ address, id }: ReplacementRisks['lost'][number]): string {
  if (id === null) return `the pending create of ${address} is not in it, and would be forgotten`;
  return `${address} with the id ${id} is not in it, so the id would be lost`;
}
