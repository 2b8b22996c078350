import type { Plan } from '../plan/model.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import { pluralize } from '../text/pluralize.ts';
import { countOf } from '../text/problem-list.ts';
import type { FailedEnvironment } from './model.ts';

const summaryWords = [
  ['create', 'to create'],
  ['replace', 'to replace'],
  ['adopt', 'to adopt'],
  ['revive', 'to revive'],
  ['reassert', 'to reassert'],
  ['update', 'to update'],
  ['retire', 'to retire'],
  ['blocked', 'blocked'],
  ['unknown', 'unknown'],
  ['waiting', 'waiting'],
] as const;

/** One sentence that can be read aloud. Its numbers are those of the sections. */
export function summaryOf({ summary, changes, moved, protections }: Plan): string {
  const diverged = changes.filter(({ action }) => action === 'unchanged').length;
  const untouched = summary.unchanged - diverged;
  const parts = [
    ...counts(summaryWords.map(([action, words]) => [summary[action], words])),
    ...counts([
      [diverged, 'diverged'],
      // Something else of these is sent, so they are in another section.
      [summary.diverged - diverged, 'diverged in part'],
    ]),
    ...recordedOnly(moved, protections, ['to rename', 'to protect', 'to unprotect']),
  ];
  if (parts.length === 0) return `Nothing to change: ${untouched} unchanged.`;
  return `Plan: ${parts.join(', ')}${untouched > 0 ? `; ${untouched} unchanged` : ''}.`;
}

/** How many renames and changes of protection there are; `words` has one for each. */
export function recordedOnly(
  moved: Plan['moved'],
  protections: Plan['protections'],
  words: readonly [string, string, string],
): readonly string[] {
  const guarded = protections.filter(({ protect }) => protect).length;
  const [renamed, protect, unprotect] = words;
  return counts([
    [moved.length, renamed],
    [guarded, protect],
    [protections.length - guarded, unprotect],
  ]);
}

/** `3 to create` for each that there are any of. */
export function counts(all: readonly (readonly [number: number, words: string])[]): readonly string[] {
  return all.flatMap(([number, words]) => (number > 0 ? [`${number} ${words}`] : []));
}

/** The row of each environment in the overview of several, by name. */
export function overviewRows(plans: readonly Plan[], failed: readonly FailedEnvironment[]) {
  const rows = [
    ...plans.map((plan) => [plan.environment, summaryOf(plan).replace(/^Plan: /, '')] as const),
    ...failed.map(({ environment, problems }) => [environment, notPlanned(problems)] as const),
  ];
  return sortRows(rows);
}

function notPlanned(problems: readonly Diagnostic[]): string {
  return `can't be planned: ${pluralize(countOf(problems), 'problem')}, see below`;
}

export function sortRows(rows: readonly (readonly [string, string])[]) {
  return rows.toSorted(([one], [other]) => (one < other ? -1 : 1));
}
