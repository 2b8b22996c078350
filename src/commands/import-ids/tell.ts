import type { Inputs } from '../../environment/join-inputs.ts';
import { targetOf } from '../../plan/make-plan.ts';
import { renderImportPreview } from '../../render/state-text.ts';
import { renderJson } from '../../render/terminal.ts';
import type { ImportPlan } from '../../state/import/check-import.ts';
import type { CommandContext } from '../invocation/context.ts';
import type { ImportOptions } from './options.ts';

/** What would be recorded, for people. */
export function preview(
  context: CommandContext,
  { environment }: Inputs,
  plan: ImportPlan,
  { format }: ImportOptions,
): void {
  if (format === 'json') return;
  const about = { environment: environment.name, target: targetOf(environment) };
  context.print(renderImportPreview(plan, about, context.color.stdout));
}

/** The same for programs, once it is known whether it was recorded. */
export function printJson(
  context: CommandContext,
  { environment }: Inputs,
  { rows }: ImportPlan,
  recorded: boolean,
): void {
  const report = { environment: environment.name, target: targetOf(environment), recorded, ids: rows };
  context.print(renderJson(report));
}
