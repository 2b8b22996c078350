import type { Address, Kind } from '../catalog/model.ts';
import type { Action, Change, FieldChange, Plan } from '../plan/model.ts';
import type { ExplainedChange, ExplainedGuard, ExplainedPlan } from './messages/explain-plan.ts';
import { summaryOf } from './plan-summary.ts';
import { valueText } from './value-text.ts';

/** What a reader of a plan sees, in reading order. Text, Markdown and the page only lay it out. */
export interface PlanView {
  readonly title: string;
  readonly notes: readonly string[];
  readonly guards: readonly ExplainedGuard[];
  readonly sections: readonly Section[];
  readonly summary: string;
}

/** Changes of one action. */
export interface Section {
  readonly action: ViewAction;
  readonly title: string;
  readonly part: SectionPart;
  readonly groups: readonly Group[];
  readonly count: number;
  /** Changes that are counted and left out of the groups, to stay readable. */
  readonly folded: number;
}

/** Changes with the same reason and remedies, which are shown once. */
export interface Group {
  readonly reason: string | undefined;
  readonly remedies: readonly string[];
  /** Plain creates are grouped by file, which has everything else about them. */
  readonly file?: string;
  readonly entries: readonly Entry[];
}

export interface Entry {
  readonly address: Address;
  readonly kind: Kind;
  readonly key: string;
  /** Empty if it is not known. */
  readonly name: string;
  /** Only of a retired record, which no file mentions. */
  readonly id: string | undefined;
  readonly source: Change['source'];
  readonly fields: readonly FieldChange[];
  /** Whether the values before are known: `absent`: there is no record; `unconfirmed`: no response has shown it. */
  readonly record: 'recorded' | 'unconfirmed' | 'absent';
}

/** `diverged` is a section of its own: nothing is sent, and the record is not as declared either. */
export type ViewAction = Exclude<Action, 'unchanged'> | 'diverged';

/** `decision`: somebody has to decide; `held`: nothing is sent; `applied`: what apply does. */
type SectionPart = 'decision' | 'held' | 'applied';

/** In the order of every format: decisions first, creates last, since there may be very many. */
const parts: Readonly<Record<ViewAction, SectionPart>> = {
  blocked: 'decision',
  unknown: 'decision',
  waiting: 'held',
  diverged: 'held',
  replace: 'applied',
  adopt: 'applied',
  revive: 'applied',
  reassert: 'applied',
  update: 'applied',
  retire: 'applied',
  create: 'applied',
};
export const viewActions = Object.keys(parts) as readonly ViewAction[];

/** From so many changes on, a remedy that differs only in their own address has ADDRESS in its place. */
const MANY = 4;

/** `createsShown`: plain creates beyond so many are only counted. */
export function planView(plan: ExplainedPlan, createsShown = Number.POSITIVE_INFINITY): PlanView {
  return {
    title: `Plan for ${plan.environment}: ${describeTarget(plan)}`,
    notes: notesOf(plan),
    guards: plan.guards,
    sections: viewActions.flatMap((action) => {
      const changes = plan.changes.filter((change) => viewAction(change) === action);
      return changes.length === 0 ? [] : [sectionOf(action, changes, createsShown)];
    }),
    summary: summaryOf(plan),
  };
}

export function titleOf(action: ViewAction): string {
  return action.charAt(0).toUpperCase() + action.slice(1);
}

export function viewAction({ action }: Change): ViewAction {
  return action === 'unchanged' ? 'diverged' : action;
}

function sectionOf(action: ViewAction, changes: readonly ExplainedChange[], createsShown: number): Section {
  const isPlain = ({ reason }: ExplainedChange) => action === 'create' && reason === undefined;
  const plain = groupByFile(changes.filter(isPlain).map(entryOf), createsShown);
  const groups = [...groupChanges(changes.filter((change) => !isPlain(change))), ...plain];
  const shown = groups.reduce((sum, { entries }) => sum + entries.length, 0);
  const count = changes.length;
  return { action, title: titleOf(action), part: parts[action], groups, count, folded: count - shown };
}

/** Each group is where its first change was. */
export function groupChanges(changes: readonly ExplainedChange[]): readonly Group[] {
  const groups = new Map<string, ExplainedChange[]>();
  for (const change of changes) {
    const key = JSON.stringify([change.reason, remedyTemplates(change)]);
    const group = groups.get(key);
    if (group) group.push(change);
    else groups.set(key, [change]);
  }
  return [...groups.values()].map((group) => ({
    reason: group[0]?.reason,
    remedies: commonRemedies(group),
    entries: group.map(entryOf),
  }));
}

/** A few keep commands that work as typed: first the first remedy of each, then the second of each. */
function commonRemedies(changes: readonly ExplainedChange[]): readonly string[] {
  const lists =
    changes.length < MANY
      ? changes.map(({ remedies = [] }) => remedies)
      : changes.slice(0, 1).map(remedyTemplates);
  const [first = []] = lists;
  return [...new Set(first.flatMap((_, at) => lists.flatMap((list) => list[at] ?? [])))];
}

/** If the reason names the change, so do the remedies: the question is about this one and those beside it. */
function remedyTemplates({ address, reason, remedies = [] }: ExplainedChange): readonly string[] {
  if (reason?.includes(address)) return remedies;
  return remedies.map((remedy) => replaceWord(remedy, (word) => (word === address ? 'ADDRESS' : word)));
}

/** `replace` is also given the word before. */
export function replaceWord(text: string, replace: (word: string, before?: string) => string): string {
  return text
    .split(' ')
    .map((word, at, words) => replace(word, words[at - 1]))
    .join(' ');
}

function groupByFile(creates: readonly Entry[], shown: number): readonly Group[] {
  const files = new Map<string, Entry[]>();
  for (const entry of creates.slice(0, shown)) {
    const file = entry.source?.file ?? '';
    const entries = files.get(file);
    if (entries) entries.push(entry);
    else files.set(file, [entry]);
  }
  return [...files]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([file, entries]) => ({ reason: undefined, remedies: [], file, entries: entries.sort(byLine) }));
}

function byLine({ source: one }: Entry, { source: other }: Entry): number {
  return (one?.line ?? 0) - (other?.line ?? 0);
}

function entryOf({ address, kind, key, name = '', action, remoteId, source, fields }: Change): Entry {
  const known = action === 'adopt' ? 'unconfirmed' : 'recorded';
  const record = remoteId === null ? 'absent' : known;
  const id = action === 'retire' ? (remoteId ?? undefined) : undefined;
  return { address, kind, key, name, id, source, fields, record };
}

export const NOT_TAKEN = 'sent before, not taken';

/** A new record is described by its file; of an unconfirmed one the old values are unknown. */
export function fieldTexts({ fields, record }: Entry) {
  if (record === 'absent') return [];
  return fields.map(({ path, before, after, diverged }) => ({
    path,
    before: record === 'recorded' ? valueText(before) : '',
    after: valueText(after) + (diverged ? ` (${NOT_TAKEN})` : ''),
  }));
}

export function sourceText({ source }: Pick<Entry, 'source'>): string {
  return source ? `${source.file}:${source.line}` : '';
}

export function describeTarget({ target }: Pick<Plan, 'target'>): string {
  const service = target.baseUrl === 'embedded' ? 'the embedded service' : target.baseUrl;
  return `${service}, team ${target.teamId}`;
}

function notesOf(plan: Plan): readonly string[] {
  const { moved, summary, targets } = plan;
  return [
    'Compared with the last recorded answers, not with the service.',
    ...stateNotes(plan),
    ...(summary.retire > 0
      ? ['What is retired stays in the service, since there is no delete; its id is kept.']
      : []),
    ...(targets ? [`Only ${targets.join(', ')} with what it needs.`] : []),
    ...moved.map(({ from, to }) => `${from} is now ${to}: recorded by apply, nothing is sent.`),
    ...protectionNotes(plan),
  ];
}

function stateNotes({ state, changes, recover, target }: Plan): readonly string[] {
  if (changes.length === 0) return [];
  if (recover) return ['The state was lost: what it does not know may exist, and is looked for.'];
  if (state.lineage !== null || target.baseUrl !== 'embedded') return [];
  return ['There is no state yet, so everything is new.'];
}

/** One each while they are few. */
function protectionNotes({ protections }: Plan): readonly string[] {
  if (protections.length > 5)
    return [`Protection of ${protections.length} resources changes: recorded by apply, nothing is sent.`];
  return protections.map(
    ({ address, protect }) =>
      `${address} is ${protect ? 'now protected' : 'protected no longer'}: recorded by apply, nothing is sent.`,
  );
}
