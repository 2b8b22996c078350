import type { SavedPlan } from '../../plan/saved-plan.ts';
import { error, failure, type Result } from '../../text/diagnostic.ts';
import { applyCommand } from '../applying/apply-command.ts';
import type { CommandContext } from '../invocation/context.ts';
import { beginsState } from './note-saved.ts';
import { readPlanFile } from './read-plan-file.ts';
import { hasWishes, type WishOptions } from './wishes.ts';

/**
 * The plans of a file, which name their environments. To carry out more than `-e` names would be a surprise, and so
 * would be less than the whole file; what a variable names is only a default.
 */
export async function planFileFor(
  [context, ...others]: readonly [CommandContext, ...CommandContext[]],
  planFile: string,
  options: WishOptions,
): Promise<Result<readonly SavedPlan[]>> {
  if (hasWishes(options)) return failure(wishesAreSaved(planFile));
  const file = await readPlanFile(planFile, context);
  if (!file.ok || !context.isNamed) return file;
  const planned = file.value.map(({ plan }) => plan.environment).sort();
  const named = [context, ...others].map(({ environmentName }) => environmentName).sort();
  if (planned.join() === named.join()) return file;
  const message = `the file plans ${planned.join(', ')}, and -e names ${named.join(', ')}`;
  const begins = file.value.some(({ plan }) => beginsState(plan));
  const hint = `nothing was sent; a saved plan names its environment, so leave -e out: ${applyCommand(planFile, context, begins)}`;
  return failure(error('other-environment', message, { subject: planFile, hint }));
}

function wishesAreSaved(planFile: string) {
  const hint = 'give --target and its like to trove plan --out instead';
  return error('target-with-plan', 'a saved plan is carried out whole', { subject: planFile, hint });
}
