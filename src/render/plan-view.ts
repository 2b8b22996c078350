import equal from 'fast-deep-equal';
import type { Action, Change, FieldChange, Plan } from '../plan/model.ts';
import { bookkept } from './apply-outcome.ts';
import { valueText } from './value-text.ts';

/** What a reader of a plan sees, in reading order; renderers only lay it out. */
export interface PlanView {
  readonly title: string;
  readonly notes: readonly string[];
  readonly sections: readonly Section[];
  readonly created: readonly CreatedFile[];
  /** Creates that the list leaves out, to stay readable. */
  readonly createdFolded: number;
  readonly summary: string;
}

export interface Section {
  readonly action: ViewAction;
  readonly groups: readonly Group<Entry>[];
  readonly count: number;
}

/** Creates are listed by file, since everything else about them is in that file. */
export interface CreatedFile {
  readonly file: string;
  readonly entries: readonly { readonly line: number; readonly address: string; readonly name: string }[];
}

export interface Entry {
  readonly address: string;
  /** Empty where it is not known. */
  readonly name: string;
  readonly title: string;
  readonly source: string;
  readonly fields: readonly FieldView[];
  readonly reason: string | undefined;
  readonly remedies: readonly string[];
}

export interface FieldView {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** What needs a person comes first, what happens by itself after it. */
const order: readonly ViewAction[] = [
  'blocked',
  'unknown',
  'waiting',
  'diverged',
  'replace',
  'adopt',
  'revive',
  'reassert',
  'update',
  'retire',
  'create',
];

const CREATES_SHOWN = 100;

/** `createsShown`: creates beyond so many are only counted. */
export function planView(plan: Plan, createsShown = CREATES_SHOWN): PlanView {
  const creates = plan.changes.filter((change) => viewAction(change) === undefined);
  const sections = order.flatMap((action) => {
    const entries = plan.changes.filter((change) => viewAction(change) === action).map(entryOf);
    return entries.length === 0
      ? []
      : [{ action, groups: withoutRepetition(entries), count: entries.length }];
  });
  return {
    title: `Plan for ${plan.environment}: ${describeTarget(plan)}`,
    notes: [
      'Compared with the last recorded answers, not with the service.',
      ...stateNotes(plan),
      ...(plan.summary.retire > 0
        ? ['What is retired stays in the service, since there is no delete; its id is kept.']
        : []),
      ...(plan.targets ? [`Only ${plan.targets.join(', ')} with what it needs.`] : []),
      ...plan.moved.map(({ from, to }) => `${from} is now ${to}: recorded by apply, nothing is sent.`),
      ...protectionNotes(plan),
    ],
    sections,
    created: byFile(creates.slice(0, createsShown)),
    createdFolded: Math.max(0, creates.length - createsShown),
    summary: summaryOf(plan),
  };
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

function byFile(creates: readonly Change[]): readonly CreatedFile[] {
  const files = new Map<string, { line: number; address: string; name: string }[]>();
  for (const { address, name = '', source } of creates) {
    const file = source?.file ?? '';
    const entries = files.get(file) ?? [];
    entries.push({ line: source?.line ?? 0, address, name });
    files.set(file, entries);
  }
  return [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, entries]) => ({ file, entries: entries.sort((a, b) => a.line - b.line) }));
}

export function describeTarget({ target }: Pick<Plan, 'target'>): string {
  const service = target.baseUrl === 'embedded' ? 'the embedded service' : target.baseUrl;
  return `${service}, team ${target.teamId}`;
}

function entryOf({
  address,
  name = '',
  action,
  remoteId,
  source,
  fields,
  reason,
  remedies = [],
}: Change): Entry {
  return {
    address,
    name,
    title: action === 'retire' ? `id ${remoteId}` : '',
    source: source ? `${source.file}:${source.line}` : '',
    // Of a record that does not exist yet nothing is before; its file says what it will be.
    fields: remoteId === null ? [] : fields.map(fieldView),
    reason,
    remedies,
  };
}

function fieldView({ path, before, after, diverged }: FieldChange): FieldView {
  const suffix = diverged ? ' (sent before, not taken)' : '';
  return { path, before: valueText(before), after: valueText(after) + suffix };
}

/** An entry of a plan with why it is so and what can be done about it. */
export interface Explained {
  readonly address: string;
  readonly reason: string | undefined;
  readonly remedies: readonly string[];
}

/** So many entries in a row that differ in their own address alone are told together, with ADDRESS in its place. */
const TOLD_TOGETHER = 4;

/** Entries with why they are so and what can be done about them, which is told once. */
export interface Group<T> {
  readonly reason: string | undefined;
  readonly remedies: readonly string[];
  readonly entries: readonly T[];
}

/** Entries in a row that say the same are a group; the others are groups of one. */
export function withoutRepetition<T extends Explained>(entries: readonly T[]): readonly Group<T>[] {
  const told = entries.map((entry) => ({ ...entry, remedies: entry.remedies.map(anonymous(entry)) }));
  const long = new Set(
    runsOf(told)
      .filter((run) => run.length >= TOLD_TOGETHER)
      .flat(),
  );
  const shown = entries.map((entry, index) => (long.has(index) ? (told[index] ?? entry) : entry));
  return runsOf(shown).map((run) => {
    const { reason, remedies = [] } = shown[run[0] ?? 0] ?? {};
    return { reason, remedies, entries: entries.slice(run[0], (run.at(-1) ?? 0) + 1) };
  });
}

/** The indices of entries in a row that say the same. */
function runsOf(entries: readonly Explained[]): readonly (readonly number[])[] {
  const runs: number[][] = [];
  for (const [index, entry] of entries.entries()) {
    const before = entries[index - 1];
    if (before && saysTheSame(before, entry)) runs.at(-1)?.push(index);
    else runs.push([index]);
  }
  return runs;
}

function saysTheSame(one: Explained, other: Explained): boolean {
  return equal([one.reason, one.remedies], [other.reason, other.remedies]);
}

function anonymous({ address }: Explained): (remedy: string) => string {
  return (remedy) =>
    remedy
      .split(' ')
      .map((word) => (word === address ? 'ADDRESS' : word))
      .join(' ');
}

/**
 * `diverged` is shown as a section of its own: nothing is sent, and it is not as declared either. `create` has those
 * creates of which there is more to say than that they are new.
 */
export type ViewAction = Exclude<Action, 'unchanged'> | 'diverged';

/** Undefined for simple creates, which are listed by themselves. */
export function viewAction({ action, reason }: Change): ViewAction | undefined {
  if (action === 'create' && reason === undefined) return undefined;
  return action === 'unchanged' ? 'diverged' : action;
}

const words = [
  ['create', 'to create'],
  ['replace', 'to replace'],
  ['adopt', 'to adopt'],
  ['revive', 'to revive'],
  ['reassert', 'to write again'],
  ['update', 'to update'],
  ['retire', 'to retire'],
  ['blocked', 'blocked'],
  ['unknown', 'unknown'],
  ['waiting', 'waiting'],
] as const;

/** One sentence that can be read aloud. Its numbers are those of the sections. */
export function summaryOf({ summary, changes, moved, protections }: Plan): string {
  const told = changes.filter((change) => viewAction(change) === 'diverged').length;
  // Of the others something else is sent: they have their place in another section.
  const partly = summary.diverged - told;
  const noted = bookkept(moved, protections, ['to rename', 'to protect', 'to unprotect']);
  const counted = words.flatMap(([action, word]) =>
    summary[action] > 0 ? [`${summary[action]} ${word}`] : [],
  );
  const diverged = [
    ...(told > 0 ? [`${told} diverged`] : []),
    ...(partly > 0 ? [`${partly} diverged in part`] : []),
  ];
  const untouched = summary.unchanged - told;
  const unchanged = `${untouched} unchanged`;
  const parts = [...counted, ...diverged, ...noted];
  if (parts.length === 0) return `Nothing to change: ${unchanged}.`;
  return `Plan: ${parts.join(', ')}${untouched > 0 ? `; ${unchanged}` : ''}.`;
}

/** For readers of a plan who have no README at hand; none where no reason names a section. */
export function interfaceNote({ changes }: Plan): readonly string[] {
  const isNamed = changes.some(({ reason }) => reason !== undefined && /\(section \d/.test(reason));
  return isNamed ? ["Sections in brackets are those of the service's interface document."] : [];
}
