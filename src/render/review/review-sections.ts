import type { Action, Change, Plan } from '../../plan/model.ts';

/** Changes of one action, as a reader goes through them. */
export interface ReviewSection {
  readonly action: ReviewAction;
  readonly title: string;
  /** What the action means, in a sentence. */
  readonly about: string;
  readonly groups: readonly ReviewGroup[];
  readonly count: number;
}

/** Changes with the same reason, which is told once, as are the ways out that all of them have. */
export interface ReviewGroup {
  readonly reason: string | undefined;
  readonly remedies: readonly string[];
  readonly changes: readonly ReviewChange[];
}

/** `remedies`: ways out of this change alone. */
export interface ReviewChange {
  readonly change: Change;
  readonly remedies: readonly string[];
}

/** `diverged` stands for unchanged resources of which something that was sent was not taken. */
export type ReviewAction = Exclude<Action, 'unchanged'> | 'diverged';

/** What needs a person, in the order in which it is shown. */
export function openSections(plan: Plan): readonly ReviewSection[] {
  return sectionsOf(plan, ['blocked', 'unknown', 'waiting', 'diverged']);
}

/** What apply does by itself. */
export function plannedSections(plan: Plan): readonly ReviewSection[] {
  return sectionsOf(plan, ['replace', 'adopt', 'revive', 'reassert', 'update', 'create', 'retire']);
}

/** Titles as they are in headings and in the choice of the filter, in the order of the page. */
export const titles: Readonly<Record<ReviewAction, string>> = {
  blocked: 'Blocked',
  unknown: 'Unknown',
  waiting: 'Waiting',
  diverged: 'Diverged',
  replace: 'Replace',
  adopt: 'Adopt',
  revive: 'Revive',
  reassert: 'Write again',
  update: 'Update',
  create: 'Create',
  retire: 'Retire',
};

const abouts: Readonly<Record<ReviewAction, string>> = {
  blocked:
    "Declared, but it can't be done, or a person is asked first. Nothing of it is sent; everything else goes on.",
  unknown: 'Sent, and nobody saw whether they were created. They are not sent again until a person says.',
  waiting: 'They refer to a classifier that is blocked or unknown, and are sent once it is settled.',
  diverged: 'The service kept something else than was sent. It is not sent again by itself.',
  replace: 'A new record takes the place of the old one, which stays in the service and is retired.',
  adopt: 'Imported ids. One update each confirms that they are what they are said to be.',
  revive: 'Declared again: the record that was retired is updated, and no second one is made.',
  reassert: 'Written again as declared, although nothing differs from the last answer, or it was not taken.',
  update: 'Records that exist and get other values.',
  create: "New records. What is created can't be deleted.",
  retire: 'No longer declared. Nothing is sent, since there is no delete; the ids are kept.',
};

function sectionsOf({ changes }: Plan, wanted: readonly ReviewAction[]): readonly ReviewSection[] {
  return wanted.flatMap((action) => {
    const own = changes.filter((change) => actionOf(change) === action);
    if (own.length === 0) return [];
    return {
      action,
      title: titles[action],
      about: abouts[action],
      groups: grouped(own),
      count: own.length,
    };
  });
}

function actionOf({ action }: Change): ReviewAction {
  return action === 'unchanged' ? 'diverged' : action;
}

/**
 * The same but for the address, which commands name: those ways out stay with their change. A reason that names the
 * address is of this change and its like alone, and so are its ways out.
 */
function grouped(changes: readonly Change[]): readonly ReviewGroup[] {
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const { reason, remedies = [], address } = change;
    const own = reason?.includes(address) ? address : ' ';
    const key = JSON.stringify([reason, remedies.map((remedy) => remedy.replaceAll(address, own))]);
    const group = groups.get(key);
    if (group) group.push(change);
    else groups.set(key, [change]);
  }
  return [...groups.values()].map(groupOf);
}

function groupOf(changes: readonly Change[]): ReviewGroup {
  const { reason, remedies = [] } = changes[0] ?? {};
  const remediesOf = new Map(changes.map((change) => [change, new Set(change.remedies)]));
  const shared = remedies.filter((remedy) => changes.every((change) => remediesOf.get(change)?.has(remedy)));
  const isShared = new Set(shared);
  return {
    reason,
    remedies: shared,
    changes: changes.map((change) => ({
      change,
      remedies: (change.remedies ?? []).filter((remedy) => !isShared.has(remedy)),
    })),
  };
}
