import type { Action, Change, FieldChange, Plan } from '../plan/model.ts';

/** What a reader of a plan sees, in reading order; renderers only lay it out. */
export interface PlanView {
  readonly title: string;
  readonly notes: readonly string[];
  readonly sections: readonly Section[];
  readonly summary: string;
}

export interface Section {
  readonly action: ViewAction;
  readonly entries: readonly Entry[];
  /** Entries that the list leaves out, to stay readable. */
  readonly folded: number;
}

/** `diverged` is shown as a section of its own: nothing is sent, and it is not as declared either. */
export type ViewAction = Exclude<Action, 'unchanged'> | 'diverged';

export interface Entry {
  readonly address: string;
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
  'diverged',
  'create',
  'replace',
  'adopt',
  'revive',
  'reassert',
  'update',
  'retire',
];

const CREATES_SHOWN = 100;

export function planView(plan: Plan): PlanView {
  const sections = order.flatMap((action) => {
    const changes = plan.changes.filter((change) => viewAction(change) === action);
    const shown = action === 'create' ? changes.slice(0, CREATES_SHOWN) : changes;
    const entries = shown.map((change) => entryOf(change, action));
    return changes.length === 0 ? [] : [{ action, entries, folded: changes.length - shown.length }];
  });
  return {
    title: `Plan for ${plan.environment}: ${describeTarget(plan)}`,
    notes: [
      'Compared with the last recorded answers, not with the service.',
      ...(plan.targets ? [`Only ${plan.targets.join(', ')} and what they depend on.`] : []),
      ...plan.moved.map(({ from, to }) => `${from} is now ${to}: recorded by apply, nothing is sent.`),
    ],
    sections,
    summary: summaryOf(plan),
  };
}

function describeTarget({ target }: Plan): string {
  const service = target.baseUrl === 'embedded' ? 'the embedded service' : target.baseUrl;
  return `${service}, team ${target.teamId}`;
}

function viewAction({ action }: Change): ViewAction {
  return action === 'unchanged' ? 'diverged' : action;
}

function entryOf(change: Change, action: ViewAction): Entry {
  const created = action === 'create';
  const name = change.fields.find(({ path }) => path === 'name')?.after;
  const fields = created ? [] : change.fields;
  return {
    address: change.address,
    title: created && typeof name === 'string' ? `"${name}"` : retiredTitle(change),
    source: change.source ? `${change.source.file}:${change.source.line}` : '',
    fields: fields.map(fieldView),
    reason: change.reason,
    remedies: change.remedies ?? [],
  };
}

function retiredTitle({ action, remoteId }: Change): string {
  return action === 'retire' ? `stays in the service as ${remoteId}` : '';
}

function fieldView({ path, before, after, diverged }: FieldChange): FieldView {
  const suffix = diverged ? ' (sent before, not taken)' : '';
  return { path, before: valueText(before), after: valueText(after) + suffix };
}

/** A value in as few characters as say it: `3..7` for a range, `Rare x0.25` for an option. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (Array.isArray(value))
    return value.map((each) => (typeof each === 'string' ? each : valueText(each))).join(', ');
  if (typeof value !== 'object') return JSON.stringify(value);
  if ('min' in value && 'max' in value) return `${value.min}..${value.max}`;
  if ('name' in value && 'dropRateMultiplier' in value)
    return `${JSON.stringify(value.name)} x${value.dropRateMultiplier}`;
  return JSON.stringify(value);
}

/** One sentence that can be read aloud. */
export function summaryOf({ summary, changes }: Plan): string {
  const parts = (
    [
      ['create', 'to create'],
      ['replace', 'to replace'],
      ['adopt', 'to adopt'],
      ['revive', 'to revive'],
      ['reassert', 'to write again'],
      ['update', 'to update'],
      ['retire', 'to retire'],
      ['blocked', 'blocked'],
      ['unknown', 'unknown'],
      ['diverged', 'diverged'],
    ] as const
  ).flatMap(([action, words]) => (summary[action] > 0 ? [`${summary[action]} ${words}`] : []));
  const unchanged = `${summary.unchanged} unchanged`;
  if (changes.length === 0) return `Nothing to change: ${unchanged}.`;
  return `Plan: ${parts.join(', ')}; ${unchanged}.`;
}
