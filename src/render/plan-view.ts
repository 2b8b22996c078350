import type { Action, Change, FieldChange } from '../plan/model.ts';
import type { ExplainedChange, ExplainedPlan, Explanation } from './messages/explain-plan.ts';
import { basisOf, describeTarget, notesOf, recordingNotes, summaryOf } from './plan-summary.ts';
import { linesOf } from './terminal.ts';
import { differingTexts, NONE, valueText } from './words.ts';

/** Changes of one action. */
export interface Section {
  readonly action: ViewAction;
  readonly title: string;
  readonly part: Part;
  readonly groups: readonly Group[];
  readonly count: number;
  /** Changes that are counted and left out of the groups, to stay readable. */
  readonly folded: number;
}

/** Changes with the same reason and remedies, which are shown once. A decision has the codes that `trove explain` takes. */
export interface Group {
  readonly reason: string | undefined;
  readonly remedies: readonly string[];
  /** Plain creates are grouped by file, which has everything else about them. */
  readonly file?: string;
  readonly changes: readonly ExplainedChange[];
}

/**
 * In the order of every format: decisions first, creates last, since there may be very many. `diverged` is a section of
 * its own: nothing is sent, and the record is not as declared either.
 */
const parts: Readonly<Record<ViewAction, Part>> = {
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

export type ViewAction = Exclude<Action, 'unchanged'> | 'diverged';

/** A decision is needed; nothing is sent; apply does it. */
type Part = 'decision' | 'held' | 'applied';

/** From so many changes on, a remedy that differs only in their own address has ADDRESS in its place. */
const MANY = 4;

/** What a reader of a plan sees, in reading order. Text, Markdown and the page only lay it out. */
export function planView(plan: ExplainedPlan) {
  return {
    title: `Plan for ${plan.environment}: ${describeTarget(plan)}`,
    notes: [basisOf(plan), ...notesOf(plan)],
    recordings: recordingNotes(plan),
    guards: guardsOf(plan),
    sections: sectionsOf(plan.changes),
    summary: summaryOf(plan),
  };
}

/** Plain creates beyond `createsShown` are only counted. */
export function sectionsOf(
  all: readonly ExplainedChange[],
  createsShown = Number.POSITIVE_INFINITY,
): readonly Section[] {
  const ordered = all.toSorted((one, other) => inOrder(one.address, other.address));
  const sections = (Object.keys(parts) as ViewAction[]).map((action) => {
    const planned = action === 'diverged' ? 'unchanged' : action;
    const changes = ordered.filter((change) => change.action === planned);
    const isPlain = ({ reason }: ExplainedChange) => action === 'create' && reason === undefined;
    const plain = changes.filter(isPlain).slice(0, createsShown);
    const others = changes.filter((change) => !isPlain(change));
    return {
      action,
      part: parts[action],
      title: action.charAt(0).toUpperCase() + action.slice(1),
      groups: [...groupChanges(others), ...groupByFile(plain)],
      count: changes.length,
      folded: changes.length - others.length - plain.length,
    };
  });
  return sections.filter(({ count }) => count > 0);
}

/** `relic-2` before `relic-10`. */
const { compare: inOrder } = new Intl.Collator('en', { numeric: true });

/** Each group is where its first change was. */
export function groupChanges(all: readonly ExplainedChange[]): readonly Group[] {
  const groups = groupBy(all, (change) => JSON.stringify([change.reason, remedyTemplates(change)]));
  return [...groups.values()].map((changes) => ({
    reason: changes[0] && reasonOf(changes[0]),
    remedies: commonRemedies(changes),
    changes,
  }));
}

function reasonOf({ action, reason, reasons }: ExplainedChange): string | undefined {
  const isDecision = action !== 'unchanged' && parts[action] === 'decision';
  return reason && reasons && isDecision ? withCode(reason, ...reasons.map(({ code }) => code)) : reason;
}

export function guardsOf({ guards }: ExplainedPlan): readonly Explanation[] {
  return guards.map(({ code, reason, remedies }) => ({ reason: withCode(reason, code), remedies }));
}

/** As problems show theirs. */
function withCode(reason: string, ...codes: readonly string[]): string {
  return `${reason} [${[...new Set(codes)].join(', ')}]`;
}

/** Map.groupBy, which Node.js 20 does not have. */
export function groupBy<T>(all: Iterable<T>, keyOf: (each: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const key = keyOf(each);
    const group = groups.get(key);
    if (group) group.push(each);
    else groups.set(key, [each]);
  }
  return groups;
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
  return remedies.map((remedy) => remedy.replace(/[^ ]+/g, (word) => (word === address ? 'ADDRESS' : word)));
}

function groupByFile(creates: readonly ExplainedChange[]): readonly Group[] {
  return [...groupBy(creates, ({ source }) => source?.file ?? '')]
    .sort(([one], [other]) => inOrder(one, other))
    .map(([file, changes]) => ({ reason: undefined, remedies: [], file, changes }));
}

const NOT_TAKEN = 'sent before, not stored';

/**
 * Whether the values before a change are known. `absent`: there is no record; `unconfirmed`: no response has shown it.
 */
export function recordOf({ action, remoteId }: Change): 'recorded' | 'unconfirmed' | 'absent' {
  if (remoteId === null) return 'absent';
  return action === 'adopt' ? 'unconfirmed' : 'recorded';
}

/** Only of a retired record, which no file mentions. */
export function idOf({ action, remoteId }: Change): string {
  return action === 'retire' ? (remoteId ?? '') : '';
}

export interface ShownField extends FieldChange {
  /** What is remarkable about the new value. */
  readonly note?: string;
}

/** An assignment that leaves an old record of its classifier for the new one is one field, and not two. */
export function shownFields({ fields }: Change): readonly ShownField[] {
  const isNone = (value: unknown) => valueText(value) === NONE;
  const leavers = fields.filter(({ path, after }) => OLD_RECORD.test(path) && isNone(after));
  const leftFor = ({ path, before }: FieldChange) => {
    const left = leavers.filter((each) => each.path.replace(OLD_RECORD, '') === path);
    return isNone(before) && left.length === 1 ? left[0] : undefined;
  };
  const joined = new Set(fields.map(leftFor));
  return fields
    .filter((field) => !joined.has(field))
    .map((field) => {
      const old = leftFor(field);
      const note = linesOf(old && 'new record', field.diverged && NOT_TAKEN).join('; ');
      return { ...field, ...(old && { before: old.before }), ...(note !== '' && { note }) };
    });
}

/** How `namesFrom` calls the replaced records of a classifier. */
const OLD_RECORD = / \(old(?: \d+)?\)$/;

/** A new record is described by its file; of an unconfirmed one the old values are unknown. */
export function fieldTexts(change: Change) {
  const record = recordOf(change);
  const fields = record === 'absent' ? [] : shownFields(change);
  return fields.map(({ path, before, after, note }) => {
    const texts = record === 'recorded' ? differingTexts(before, after) : ['', valueText(after)];
    return { path, before: texts[0], after: texts[1] + (note === undefined ? '' : ` (${note})`) };
  });
}

export function sourceText({ source }: Pick<Change, 'source'>): string {
  return source ? `${source.file}:${source.line}` : '';
}
