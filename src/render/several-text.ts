import type { ApplyReport } from '../apply/model.ts';
import type { Plan } from '../plan/model.ts';
import { counted } from '../text/counted.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import { countOf } from '../text/problem-list.ts';
import { renderApplyDetails } from './apply-details.ts';
import { outcomeOf } from './apply-summary.ts';
import { escapeTerminal } from './escape.ts';
import { renderJson } from './json.ts';
import { summaryOf } from './plan-summary.ts';
import type { FailedEnvironment } from './plans-markdown.ts';
import type { Reader } from './reader.ts';
import { styleFor } from './style.ts';
import { alignColumns } from './table.ts';
import { harmless, wrapWords } from './wrap.ts';

/** What became of one of several environments. Without a report nothing was sent. */
export interface AppliedEnvironment {
  readonly environment: string;
  readonly exitCode: number;
  readonly problems: readonly Diagnostic[];
  readonly report?: ApplyReport;
  readonly reader?: Reader;
  /** What was told of it ends before it does: what else happened is not known here. */
  readonly isUnfinished?: boolean;
}

/** The plans of several environments, a line each. */
export function renderPlannedText(plans: readonly Plan[], failed: readonly FailedEnvironment[]): string {
  const rows = [
    ...plans.map((plan) => [plan.environment, summaryOf(plan).replace(/^Plan: /, '')] as const),
    ...failed.map(({ environment, problems }) => [environment, notPlanned(problems)] as const),
  ];
  const table = alignColumns(
    [['ENVIRONMENT', 'PLAN'], ...sorted(rows)].map((row) => row.map(escapeTerminal)),
  );
  const refusals = plans
    .flatMap(({ environment, guards }) =>
      guards.map(({ reason }) => `Apply refuses the plan for ${environment}: ${reason}`),
    )
    .flatMap((text) => wrapWords(escapeTerminal(text), '', '  '));
  return `Compared with the last recorded answers, not with the services.\n\n${table}\n${refusals.map((line) => `${line}\n`).join('')}`;
}

/** What became of each, and below it what did not go as planned. */
export function renderAppliedText(all: readonly AppliedEnvironment[], color: boolean): string {
  const style = styleFor(color);
  const rows = all.map((each) => [each.environment, wordsFor(each)] as const);
  const details = all.flatMap(({ environment, report, reader }) => {
    const lines = report && reader ? renderApplyDetails(report, color, reader) : [];
    return lines.length > 0 ? ['', style('bold', `${harmless(escapeTerminal(environment))}:`), ...lines] : [];
  });
  const table = alignColumns(
    [['ENVIRONMENT', 'RESULT'], ...sorted(rows)].map((row) => row.map(escapeTerminal)),
  );
  return `${table}${details.map((line) => `${line}\n`).join('')}\n${style('bold', conclusion(all))}\n`;
}

export function renderPlannedJson(plans: readonly Plan[], failed: readonly FailedEnvironment[]): string {
  const environments = [
    ...plans.map((plan) => ({ environment: plan.environment, plan, problems: [] })),
    ...failed.map(({ environment, problems }) => ({ environment, plan: null, problems: shown(problems) })),
  ];
  return renderJson({ formatVersion: 1, environments });
}

export function renderAppliedJson(all: readonly AppliedEnvironment[]): string {
  const environments = all.map(({ environment, exitCode, report, problems }) => ({
    environment,
    exitCode,
    report: report ?? null,
    problems: shown(problems),
  }));
  return renderJson({ formatVersion: 1, environments });
}

function wordsFor({ report, problems, exitCode, isUnfinished }: AppliedEnvironment): string {
  if (isUnfinished)
    return `${report ? resultWords(report) || 'no outcome' : 'no outcome'} so far, not finished`;
  if (report === undefined) {
    if (problems.length > 0) return `nothing was sent: ${counted(countOf(problems), 'problem')}, see below`;
    return exitCode === 0 ? 'nothing to change' : 'not started';
  }
  return resultWords(report) || 'nothing to change';
}

function resultWords(report: ApplyReport): string {
  const { done, open } = outcomeOf(report);
  return [...done, ...open].join(', ');
}

function notPlanned(problems: readonly Diagnostic[]): string {
  return `can't be planned: ${counted(countOf(problems), 'problem')}, see below`;
}

function conclusion(all: readonly AppliedEnvironment[]): string {
  const left = all.filter(({ exitCode }) => exitCode !== 0).map(({ environment }) => environment);
  const total = counted(all.length, 'environment');
  if (left.length === 0) return `${total} applied.`;
  return `${all.length - left.length} of ${total} applied; look at ${left.map(escapeTerminal).join(', ')}.`;
}

function shown(problems: readonly Diagnostic[]) {
  return problems.map(({ rule, message, hint }) => ({ rule, message, ...(hint !== undefined && { hint }) }));
}

function sorted(rows: readonly (readonly [string, string])[]): readonly (readonly string[])[] {
  return [...rows].sort(([one], [other]) => (one < other ? -1 : 1));
}
