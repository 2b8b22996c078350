import type { Distribution } from '../plan/distribution.ts';
import {
  diagnosticAnnotations,
  planAnnotations,
  renderAnnotations,
  summaryAnnotation,
} from '../render/annotations.ts';
import type { RepositoryPath } from '../render/diagnostic-reports.ts';
import type { ExplainedPlan } from '../render/messages/explain-plan.ts';
import type { FailedEnvironment } from '../render/model.ts';
import { renderPlansMarkdown } from '../render/plan-markdown.ts';
import { renderPlannedJson, renderPlannedText, renderPlanText } from '../render/plan-text.ts';
import { type Made, type Review, renderReviewPage } from '../render/review/review-page.ts';
import { renderJson } from '../render/terminal.ts';
import type { Formats, Output } from './outputs.ts';

/** Plans as they are shown together, and the environments that have none. */
export interface PlanDocument {
  readonly plans: readonly ExplainedPlan[];
  readonly failed: readonly FailedEnvironment[];
  readonly repositoryPath: RepositoryPath;
  /** Whether the text lists every create. */
  readonly isWhole: boolean;
  /** The counts that the pictures of a page are drawn from; undefined where only the plan is known. */
  readonly countsOf: (plan: ExplainedPlan) => Distribution | undefined;
  /** Undefined where they are read from a file. */
  readonly made?: Made | undefined;
}

/** What `trove plan` can write. One plan is a document, several have a common document. */
export const planFormats = {
  text: ({ plans, failed, isWhole }, color) => {
    const plan = onlyPlan(plans, failed);
    return plan ? renderPlanText(plan, color, isWhole) : renderPlannedText(plans, failed, color, isWhole);
  },
  json: ({ plans, failed }) => {
    const plan = onlyPlan(plans, failed);
    return plan ? renderJson(plan) : renderPlannedJson(plans, failed);
  },
  markdown: ({ plans, failed }) => renderPlansMarkdown(plans, failed),
  github: ({ plans, failed, repositoryPath }) =>
    renderAnnotations(
      [
        ...diagnosticAnnotations(failed.flatMap(({ problems }) => problems)),
        ...plans.flatMap(planAnnotations),
        ...(plans.length > 0 ? [summaryAnnotation(plans)] : []),
      ],
      repositoryPath,
    ),
  html: ({ plans, failed, countsOf, made }) =>
    renderReviewPage(
      plans.map((plan) => reviewOf(plan, countsOf)),
      failed,
      made,
    ),
} satisfies Formats<PlanDocument>;

function reviewOf(plan: ExplainedPlan, countsOf: PlanDocument['countsOf']): Review {
  const counts = countsOf(plan);
  return { plan, ...(counts && { distribution: counts }) };
}

/** What still has something to say where there is no plan; the others are for programs and people who see stderr. */
export function showsFailure({ format }: Output): boolean {
  return format === 'markdown' || format === 'github' || format === 'html';
}

function onlyPlan(plans: readonly ExplainedPlan[], failed: readonly unknown[]): ExplainedPlan | undefined {
  return plans.length + failed.length === 1 ? plans[0] : undefined;
}
