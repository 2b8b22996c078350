import { resolve } from 'node:path';
import { commandFlags } from '../environment/find.ts';
import type { Plan } from '../plan/model.ts';
import { parseSavedPlans, type SavedPlan } from '../plan/saved-plan.ts';
import { escapeTerminal } from '../render/terminal.ts';
import { error, failure, type Result, success } from '../text/diagnostic.ts';
import { quotedForShell } from '../text/quoted.ts';
import { MAX_WRITTEN_BYTES, readRegularFile, unreadable } from '../text/read-file.ts';
import { type CommandContext, type Contexts, workingFolder } from './context.ts';
import { orFail, refuse } from './exit-code.ts';
import { hasPlanOptions, type PlanFlags } from './prepare-plan.ts';

/**
 * The plans of a file, which name their environments. To carry out more than `-e` names would be a surprise, and so
 * would be less than the whole file; what a variable names is only a default.
 */
export async function planFileFor(
  contexts: Contexts,
  planFile: string,
  options: PlanFlags,
): Promise<readonly SavedPlan[]> {
  const [context] = contexts;
  if (hasPlanOptions(options)) {
    const hint = 'give --target and its like to trove plan --out instead';
    refuse('target-with-plan', 'a saved plan is carried out whole', { subject: planFile, hint });
  }
  const text = orFail(await readTextFile(planFile, context));
  const saved = orFail(parseSavedPlans(text, planFile));
  if (!context.isNamed) return saved;
  const planned = saved.map(({ plan }) => plan.environment).sort();
  const named = contexts.map(({ environmentName }) => environmentName).sort();
  if (planned.join() === named.join()) return saved;
  const message = `the file plans ${planned.join(', ')}, and -e names ${named.join(', ')}`;
  const begins = saved.some(({ plan }) => beginsState(plan));
  const hint = `nothing was sent; a saved plan names its environment, so leave -e out: ${applyCommand(planFile, context, begins)}`;
  return refuse('other-environment', message, { subject: planFile, hint });
}

/** The whole text of a file that should hold plans or events, without the mark that some editors and shells put first. */
export async function readTextFile(path: string, { io, flags }: CommandContext): Promise<Result<string>> {
  const hint = `make one: trove plan${flags} --out FILE`;
  const options = { shown: path, maxBytes: MAX_WRITTEN_BYTES, within: workingFolder(io) };
  const read = await readRegularFile(resolve(io.cwd, path), options).catch((cause: Error) => cause);
  if (read instanceof Error) return failure({ ...unreadable(path, read), hint });
  if (read.kind === 'absent') return failure({ ...unreadable(path, { code: 'ENOENT' }), hint });
  if (read.kind === 'refused') return failure(read.problem);
  const { bytes } = read;
  if (isUtf16(bytes)) {
    const again = 'write it again as UTF-8; in Windows PowerShell: ... | Out-File -Encoding utf8 FILE';
    return failure(error('not-utf8', 'the file is UTF-16, not UTF-8', { subject: path, hint: again }));
  }
  return success(bytes.toString('utf8').replace(/^\uFEFF/, ''));
}

/** What `>` writes in Windows PowerShell. */
function isUtf16(bytes: Buffer): boolean {
  const mark = bytes.subarray(0, 2).toString('hex');
  return mark === 'fffe' || mark === 'feff';
}

/** Names the command that carries the plans out, where it would do anything. */
export function noteSaved(context: CommandContext, file: string, plans: readonly Plan[]): void {
  const command = applyCommand(file, context, plans.some(beginsState));
  const next = plans.some(appliesAnything)
    ? `To do exactly this: ${escapeTerminal(command)}`
    : 'There is nothing in it to apply.';
  context.note(`Saved. ${next}\n`);
}

function appliesAnything({ changes, moved, protections }: Plan): boolean {
  const acts = changes.some(({ action, requests }) => action === 'retire' || requests.length > 0);
  return acts || moved.length + protections.length > 0;
}

/** Whether apply needs --new-environment. */
function beginsState({ guards }: Plan): boolean {
  return guards.some(({ override }) => override === '--new-environment');
}

/**
 * The command that carries a file of saved plans out, which name their environments. `begins`: one of them is for an
 * environment of which nothing is recorded.
 */
export function applyCommand(
  file: string,
  { catalogFolder }: Pick<CommandContext, 'catalogFolder'>,
  begins: boolean,
): string {
  const flags = commandFlags({ catalog: catalogFolder, environment: 'local' });
  const first = begins ? ' --new-environment' : '';
  return `trove apply ${quotedForShell(file)}${flags}${first}`;
}
