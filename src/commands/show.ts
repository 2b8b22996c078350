import type { Plan } from '../plan/model.ts';
import { parseSavedPlans } from '../plan/saved-plan.ts';
import { renderAppliedText, renderApplyText } from '../render/apply-text.ts';
import { unfinishedText } from '../render/command-texts.ts';
import { type ExplainedPlan, explainPlan } from '../render/messages/explain-plan.ts';
import type { AppliedEnvironment } from '../render/model.ts';
import { renderPlanText } from '../render/plan-text.ts';
import { isEvents, readEvents } from './apply-events.ts';
import { type CommandContext, contextFor } from './context.ts';
import { failOn, orFail, refuse } from './exit-code.ts';
import { type Formats, parseOutputs, repositoryPath, writeOutputs } from './outputs.ts';
import { type PlanDocument, planFormats } from './plan-formats.ts';
import { readTextFile } from './prepare-plan.ts';

/** As `trove plan` writes them, but for the text, in which each plan is shown in full. */
const showFormats = {
  ...planFormats,
  text: ({ plans, isWhole }, color) => plans.map((plan) => renderPlanText(plan, color, isWhole)).join('\n'),
} satisfies Formats<PlanDocument>;

/** `trove show FILE`: the plans that a file holds, or the events of an apply, from the file alone. */
export async function show(
  context: CommandContext,
  file: string,
  { format, all }: { readonly format?: readonly string[]; readonly all?: boolean },
): Promise<void> {
  const outputs = parseOutputs(format, showFormats);
  const read = await readTextFile(file, context);
  if (isEvents(read)) return showEvents(context, file, read, format);
  const saved = orFail(parseSavedPlans(read, file));
  const document = {
    plans: saved.map(({ plan }) => explainedFrom(file, plan, context)),
    failed: [],
    isWhole: all ?? false,
    repositoryPath: repositoryPath(context.io),
    countsOf: () => undefined,
  };
  failOn(await writeOutputs(outputs, showFormats, document, context));
}

/** The schema of a plan leaves the values of its reasons to the code. */
function explainedFrom(file: string, plan: Plan, context: CommandContext): ExplainedPlan {
  try {
    return explainPlan(plan, contextFor(plan.environment, context).flags);
  } catch {
    return refuse('invalid-plan-file', { why: 'other-form' }, { subject: file });
  }
}

/** What an apply did, as it said it at its end. */
const eventFormats = {
  text: (all, color) => {
    const [first] = all;
    if (all.length !== 1 || !first?.report || !first.reader) return renderAppliedText(all, color);
    return renderApplyText(first.report, color, first.reader, first.isUnfinished);
  },
} satisfies Formats<readonly AppliedEnvironment[]>;

async function showEvents(
  context: CommandContext,
  file: string,
  text: string,
  format: readonly string[] | undefined,
): Promise<void> {
  const outputs = parseOutputs(format, eventFormats);
  const all = readEvents(text, file, context);
  const written = await writeOutputs(outputs, eventFormats, all, context);
  for (const { problems } of all) context.reportErrors(problems);
  for (const { environment } of all.filter(({ isUnfinished }) => isUnfinished))
    context.note(unfinishedText(environment));
  failOn(written);
}
