import type { SavedPlan } from '../../plan/saved-plan.ts';
import { type Diagnostic, error, failure, type Result } from '../../text/diagnostic.ts';
import { applyCommand } from '../applying/apply-command.ts';
import type { CommandContext } from '../invocation/context.ts';
import { beginsState } from './note-saved.ts';
import { readPlanFile } from './read-plan-file.ts';
import { hasWishes, type WishOptions } from './wishes.ts';

/** The plans of a file, where they are for the environment that was named. */
export async function planFileFor(
  context: CommandContext,
  planFile: string,
  options: WishOptions,
): Promise<Result<readonly SavedPlan[]>> {
  if (hasWishes(options)) return failure(wishesAreSaved(planFile));
  const file = await readPlanFile(planFile, context);
  if (!file.ok) return file;
  const [first, ...others] = file.value.map(({ plan }) => plan.environment);
  const begins = file.value.some(({ plan }) => beginsState(plan));
  if (others.length > 0 && context.isNamed) return failure(plansNameThem(context, planFile, begins));
  if (others.length > 0 || first === undefined || first === context.environmentName) return file;
  const message = `the plan is for the environment ${first}, and this is ${context.environmentName}`;
  const hint = `nothing was sent; to carry it out: ${applyCommand(planFile, context, [first], begins)}`;
  return failure(error('other-environment', message, { subject: planFile, hint }));
}

/** Carrying out more than the named environment would be a surprise, and so would be less than the whole file. */
export function plansNameThem(context: CommandContext, planFile: string, begins = false): Diagnostic {
  const hint = `leave out -e, and all of them are carried out: ${applyCommand(planFile, context, [], begins)}`;
  return error('environments-with-plan', 'a file of saved plans names its environments itself', { hint });
}

function wishesAreSaved(planFile: string): Diagnostic {
  const hint = 'give --target and its like to trove plan --out instead';
  return error('target-with-plan', 'a saved plan is carried out whole', { subject: planFile, hint });
}
