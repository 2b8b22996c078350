import type { Plan } from '../plan/model.ts';
import { counted } from '../text/counted.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import { countOf } from '../text/problem-list.ts';
import { bytes, fitParts, type Part } from './fitted.ts';
import { codeCell, prose } from './markdown.ts';
import { MARKDOWN_LIMIT, renderPlanMarkdown } from './plan-markdown.ts';
import { summaryOf } from './plan-summary.ts';
import { renderProblemsMarkdown } from './problems-markdown.ts';

export interface FailedEnvironment {
  readonly environment: string;
  readonly problems: readonly Diagnostic[];
}

/** The least room that a plan among several is worth. */
const LEAST = 3000;
/** Bytes that the table of all of them takes at most. */
const OVERVIEW = MARKDOWN_LIMIT / 4;

/** One plan, or several in one document: a table of all, then what could not be planned, then a section each. */
export function renderPlansMarkdown(plans: readonly Plan[], failed: readonly FailedEnvironment[]): string {
  const [plan] = plans;
  if (plan && plans.length + failed.length === 1) return renderPlanMarkdown(plan);
  const count = plans.length + failed.length;
  const top = count === 1 ? '' : overview(plans, failed);
  const share = Math.max(LEAST, Math.floor((MARKDOWN_LIMIT - bytes(top)) / count) - 10);
  const problems = failed.map(({ environment, problems }) =>
    renderProblemsMarkdown(`${prose(environment)} could not be planned`, problems, share),
  );
  const part: Part = {
    head: '',
    units: [...problems, ...plans.map((each) => renderPlanMarkdown(each, share))].map((text) => ({ text })),
    tail: '',
    more: (left) => `… and ${counted(left, 'more environment')}; the plan file has them all\n`,
  };
  return top + fitParts([part], MARKDOWN_LIMIT - bytes(top));
}

function overview(plans: readonly Plan[], failed: readonly FailedEnvironment[]): string {
  const rows = [
    ...failed.map(
      ({ environment, problems }) =>
        [environment, `can't be planned: ${counted(countOf(problems), 'problem')}`] as const,
    ),
    ...plans.map((plan) => [plan.environment, summaryOf(plan).replace(/^Plan: /, '')] as const),
  ];
  const part: Part = {
    head: `### Plans for ${counted(rows.length, 'environment')}\n\n| Environment | Plan |\n| --- | --- |\n`,
    units: rows.map(([name, words]) => ({ text: `| ${codeCell(name)} | ${prose(words)} |\n` })),
    tail: '\n',
    more: (left) => `\n… and ${counted(left, 'more environment')}; the plan file has them all\n`,
  };
  return fitParts([part], OVERVIEW);
}
