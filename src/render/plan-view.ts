import type { Change, FieldChange, Plan } from '../plan/model.ts';
import { summaryOf } from './plan-summary.ts';
import { valueText } from './value-text.ts';
import { type ViewAction, viewAction } from './view-action.ts';
import { type Group, withoutRepetition } from './without-repetition.ts';

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
