import { actions, type Summary } from '../../src/plan/model.ts';
import type { ExplainedChange, ExplainedPlan } from '../../src/render/messages/explain-plan.ts';

const source = (line: number) => ({ file: 'catalog/items/weapons.yaml', line, column: 3 });
const put = (path: string) => [{ method: 'PUT', path, body: {} }] as const;

/** A change of an item; what is not said is empty. */
export function change(
  key: string,
  action: ExplainedChange['action'],
  rest: Partial<ExplainedChange> = {},
): ExplainedChange {
  const name = rest.fields?.find(({ path }) => path === 'name')?.after;
  return {
    address: `item.${key}`,
    kind: 'item',
    key,
    ...(typeof name === 'string' && { name }),
    action,
    remoteId: `id-of-${key}`,
    fields: [],
    requests: [],
    source: source(7),
    ...rest,
  };
}

export function planOf(
  changes: readonly ExplainedChange[],
  rest: Partial<ExplainedPlan> = {},
): ExplainedPlan {
  const summary = Object.fromEntries([...actions, 'diverged'].map((name) => [name, 0])) as Record<
    keyof Summary,
    number
  >;
  for (const { action, fields } of changes) {
    summary[action]++;
    if (fields.some(({ diverged }) => diverged)) summary.diverged++;
  }
  return {
    formatVersion: 1,
    environment: 'staging',
    target: { baseUrl: 'https://game.example/api', teamId: 'team_7' },
    state: { lineage: 'a0000000-0000-4000-8000-000000000001', serial: 3 },
    catalog: { digest: 'sha256:0' },
    guards: [],
    summary,
    moved: [],
    protections: [],
    changes,
    ...rest,
  };
}

const name = { path: 'name', before: 'Iron Sword', after: 'Steel Sword' };
const description = 'A blade that was forged twice in the old city, cooled in oil and never lent to anybody';

/** Every section that a plan can have, with short and long values of every type. */
export const everySection = planOf(
  [
    change('tier', 'blocked', {
      address: 'classifier.tier',
      kind: 'classifier',
      name: 'Tier',
      fields: [
        {
          path: 'options.rare',
          before: { name: 'Rare', dropRateMultiplier: 0.25 },
          after: { name: 'Rare', dropRateMultiplier: 0.5 },
        },
      ],
      reason:
        "the options of an existing classifier can't be changed: the API documents only `name` for updates (API section 4.4)",
      remedies: ['restore the option'],
    }),
    change('lost', 'unknown', {
      remoteId: null,
      reason: 'its create was sent at 2026-03-01T12:00:00.000Z; the outcome is unknown: timeout',
      remedies: [
        'if the service has the record: trove resolve item.lost --id ID',
        'if it does not: trove resolve item.lost --not-created',
      ],
    }),
    change('loud', 'unchanged', {
      fields: [{ path: 'name', before: 'LOUD', after: 'Loud', diverged: true }],
    }),
    change('twin', 'replace', { requests: put('/items/id-of-twin') }),
    change('found', 'adopt', { requests: put('/items/id-of-found') }),
    change('back', 'revive', { requests: put('/items/id-of-back') }),
    change('again', 'reassert', { requests: put('/items/id-of-again') }),
    change('iron-sword', 'update', {
      source: source(120),
      fields: [
        name,
        { path: 'thumbnail', before: null, after: 'https://cdn.example/steel-sword.png' },
        { path: 'attributes.damage', before: { min: 3, max: 7 }, after: { min: 4, max: 8.5 } },
        { path: 'attributes.speed', before: { min: 1, max: 1 }, after: null },
        { path: 'classifiers.slot', before: ['main-hand'], after: ['main-hand', 'off-hand'] },
        { path: 'rollNumerator', before: 40, after: 60 },
      ],
      requests: put('/items/id-of-iron-sword'),
    }),
    change('item-with-a-key-of-more-than-thirty-characters', 'update', {
      fields: [{ path: 'name', before: description, after: `${description} but me` }],
      requests: put('/items/x'),
    }),
    change('old', 'retire', {
      name: 'Old Sword',
      remoteId: '6f837093-d6e4-5dc5-ab9b-649548449282',
      source: null,
    }),
    change('new-in-this-release', 'create', {
      remoteId: null,
      fields: [{ path: 'name', before: null, after: description }],
    }),
    change('bow', 'create', {
      remoteId: null,
      source: { file: 'catalog/bows.yaml', line: 1234, column: 3 },
      fields: [{ path: 'name', before: null, after: 'Bow' }],
    }),
  ],
  {
    targets: ['classifier.tier', 'item.again', 'item.back', 'item.bow', 'item.found', 'item.iron-sword'],
    protections: [],
    moved: [{ from: 'item.an-old-key-of-some-length', to: 'item.a-new-key-of-some-length' }],
  },
);

/** A guard, but for its words. */
export const limitExceeded = { code: 'limit-exceeded', limit: 'maxCreates', count: 2, allowed: 1 } as const;

/** A copy with every text replaced, wherever it stands, but for the fields of these names. */
export function withText<T>(value: T, text: string, kept: readonly string[]): T {
  const replaced = (key: string, each: unknown) =>
    typeof each === 'string' && !kept.includes(key) ? text : each;
  return JSON.parse(JSON.stringify(value), function (key, each) {
    return replaced(Array.isArray(this) ? '' : key, each);
  }) as T;
}
