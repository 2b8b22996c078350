import type { Plan } from '../plan/model.ts';
import { countOf } from '../text/problem-list.ts';
import type { FailedEnvironment } from './model.ts';
import { linesOf } from './terminal.ts';
import { pluralize } from './words.ts';

export function describeTarget({ target }: Pick<Plan, 'target'>): string {
  const service = target.baseUrl === 'embedded' ? 'the embedded service' : target.baseUrl;
  return `${service}, team ${target.teamId}`;
}

/** For a table: without what nearly all services have in common. */
export function serviceText({ baseUrl }: Plan['target']): string {
  return baseUrl.replace(/^https:\/\/|\/api$/g, '');
}

/** What a plan is made from. */
export function basisOf({ state }: Plan): string {
  return state.lineage === null
    ? 'The service was not contacted.'
    : 'Compared with recorded state; the service was not contacted.';
}

export function notesOf(plan: Plan): readonly string[] {
  const { summary, targets } = plan;
  return linesOf(
    stateNote(plan),
    summary.retire > 0 && 'Retired records remain in the service (it has no delete); Trove keeps their IDs.',
    targets && `Limited to ${targets.join(', ')} and ${targets.length === 1 ? 'its' : 'their'} dependencies.`,
  );
}

/** What apply only records: nothing is sent. */
export function recordingNotes({ moved, protections }: Plan): readonly string[] {
  return linesOf(
    moved.map(({ from, to }) => `${from} becomes ${to} (recorded by apply; nothing is sent).`),
    // One each while they are few.
    protections.length > 5
      ? `Protection of ${protections.length} resources changes (recorded by apply; nothing is sent).`
      : protections.map(
          ({ address, protect }) =>
            `${address} is ${protect ? 'now protected' : 'no longer protected'} (recorded by apply; nothing is sent).`,
        ),
  );
}

function stateNote({ state, changes, recover, target }: Plan): string | undefined {
  if (changes.length === 0) return undefined;
  if (recover)
    return "The state was lost: Trove looks for each resource before it creates it. It can't find an item that was imported or renamed with `trove state mv`: import it first.";
  const isNew = state.lineage === null && target.baseUrl === 'embedded';
  return isNew ? 'No state found: every resource is planned as new.' : undefined;
}

/** In the order of every summary. */
export const counted = ['create', 'replace', 'adopt', 'revive', 'reassert', 'update', 'retire'] as const;

/** One sentence that can be read aloud. Its numbers are those of the sections. */
export function summaryOf({ summary, changes, moved, protections }: Plan): string {
  const diverged = changes.filter(({ action }) => action === 'unchanged').length;
  const untouched = summary.unchanged - diverged;
  const parts = [
    ...counts([
      ...counted.map((action) => [summary[action], `to ${action}`] as const),
      [summary.blocked, 'blocked'],
      [summary.unknown, 'unknown'],
      [summary.waiting, 'waiting'],
      [diverged, 'diverged'],
      // Something else of these is sent, so they are in another section.
      [summary.diverged - diverged, 'partly diverged'],
    ]),
    ...recordedOnly(moved, protections, ['to rename', 'to protect', 'to unprotect']),
  ];
  if (parts.length === 0) return `No changes: ${untouched} unchanged.`;
  return `Plan: ${parts.join(', ')}${untouched > 0 ? `; ${untouched} unchanged` : ''}.`;
}

/** How many renames and changes of protection there are; `words` has one for each. */
export function recordedOnly(
  moved: Plan['moved'],
  protections: Plan['protections'],
  [renamed, protect, unprotect]: readonly [string, string, string],
): readonly string[] {
  const guarded = protections.filter((each) => each.protect).length;
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
  return sortRows([
    ...plans.map((plan) => [plan.environment, summaryOf(plan).replace(/^Plan: |\.$/g, '')] as const),
    ...failed.map(({ environment, problems }) => {
      const found = pluralize(countOf(problems), 'problem');
      return [environment, `refused: ${found}, see below`] as const;
    }),
  ]);
}

export function sortRows(rows: readonly (readonly [string, string])[]) {
  return rows.toSorted(([one], [other]) => (one < other ? -1 : 1));
}
