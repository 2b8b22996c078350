import type { ApplyReport } from '../apply/model.ts';
import type { Guard, Plan } from '../plan/model.ts';
import { counted, plural } from '../text/counted.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import { countOf } from '../text/problem-list.ts';
import { outcomeOf } from './apply-outcome.ts';
import { renderApplyDetails } from './apply-text.ts';
import type { FailedEnvironment } from './plan-markdown.ts';
import { guardLines } from './plan-text.ts';
import { summaryOf } from './plan-view.ts';
import type { Reader } from './reader.ts';
import { alignColumns, escapeTerminal, harmless, renderJson, styleFor } from './terminal.ts';

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

/** The plans of several environments, a line each, and below them why apply refuses some. */
export function renderPlannedText(
  plans: readonly Plan[],
  failed: readonly FailedEnvironment[],
  color: boolean,
): string {
  const rows = [
    ...plans.map((plan) => [plan.environment, summaryOf(plan).replace(/^Plan: /, '')] as const),
    ...failed.map(({ environment, problems }) => [environment, notPlanned(problems)] as const),
  ];
  const table = alignColumns(
    [['ENVIRONMENT', 'PLAN'], ...sorted(rows)].map((row) => row.map(escapeTerminal)),
  );
  const refusals = refusalLines(plans, color).map((line) => `${line}\n`);
  return `Compared with the last recorded answers, not with the services.\n\n${table}${refusals.join('')}\n`;
}

/** A guard of several environments is told once where only their names differ, with ENVIRONMENT in their place. */
function refusalLines(plans: readonly Plan[], color: boolean): readonly string[] {
  const found = plans.flatMap(({ environment, guards }) =>
    guards.map((guard) => ({ environment, guard, common: anonymous(guard, environment) })),
  );
  const groups = new Map<string, typeof found>();
  for (const each of found) {
    const key = JSON.stringify(each.common);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups.values()].flatMap((group) => {
    const names = group.map(({ environment }) => environment).sort();
    const [guard] = group.map((each) => (group.length > 1 ? each.common : each.guard));
    const what = `the ${plural(group.length, 'plan')} for ${names.join(', ')}`;
    return guard ? ['', ...guardLines(what, guard, styleFor(color))] : [];
  });
}

function anonymous({ reason, remedies }: Guard, environment: string): Pick<Guard, 'reason' | 'remedies'> {
  const without = (text: string) =>
    text
      .split(' ')
      .map((word, at, words) => {
        const isName = word === environment && ['-e', 'environment'].includes(words[at - 1] ?? '');
        return isName ? 'ENVIRONMENT' : word;
      })
      .join(' ');
  return { reason: without(reason), remedies: remedies.map(without) };
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

function hasDone(report: ApplyReport): boolean {
  return outcomeOf(report).done.length > 0;
}

function notPlanned(problems: readonly Diagnostic[]): string {
  return `can't be planned: ${counted(countOf(problems), 'problem')}, see below`;
}

function conclusion(all: readonly AppliedEnvironment[]): string {
  const left = all.filter(({ exitCode }) => exitCode !== 0).map(({ environment }) => environment);
  const total = counted(all.length, 'environment');
  if (left.length === 0) return `${total} applied.`;
  const inPart = all.filter(({ exitCode, report }) => exitCode !== 0 && report && hasDone(report)).length;
  const partly = inPart > 0 ? `, ${inPart} in part` : '';
  return `${all.length - left.length} of ${total} applied${partly}; look at ${left.map(escapeTerminal).join(', ')}.`;
}

function shown(problems: readonly Diagnostic[]) {
  return problems.map(({ rule, message, hint }) => ({ rule, message, ...(hint !== undefined && { hint }) }));
}

function sorted(rows: readonly (readonly [string, string])[]): readonly (readonly string[])[] {
  return [...rows].sort(([one], [other]) => (one < other ? -1 : 1));
}
