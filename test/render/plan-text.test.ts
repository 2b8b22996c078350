import { describe, expect, test } from 'vitest';
import type { Reason } from '../../src/plan/reason.ts';
import { explainGuard } from '../../src/render/messages/explain-plan.ts';
import { explained } from '../../src/render/messages/explain-problem.ts';
import { explainReason } from '../../src/render/messages/plan-reasons.ts';
import { summaryOf } from '../../src/render/plan-summary.ts';
import { renderPlannedText, renderPlanText } from '../../src/render/plan-text.ts';
import { atDefaultWidth, columnWidth, fitTerminal } from '../../src/render/terminal.ts';
import { change, everySection, limitExceeded, planOf } from './sample-plan.ts';

test('a reason code of a newer version has no explanation', () => {
  const reasons = ['constructor', 'future-code'].map((code) => ({ code }) as unknown as Reason);
  for (const reason of reasons)
    expect(explainReason(reason, { address: 'item.a', flags: '' })).toEqual([undefined]);
});

describe('a plan for a terminal', () => {
  test('shows every section, those that need a decision first', () => {
    expect(renderPlanText(everySection, false)).toMatchInlineSnapshot(`
      "Plan for staging: https://game.example/api, team team_7
      Compared with recorded state; the service was not contacted.
      Retired records remain in the service (it has no delete); Trove keeps their IDs.
      Limited to classifier.tier, item.again, item.back, item.bow, item.found,
        item.iron-sword and their dependencies.
      item.an-old-key-of-some-length becomes item.a-new-key-of-some-length (recorded
        by apply; nothing is sent).

      ! blocked   classifier.tier                         catalog/items/weapons.yaml:7
                   options.rare  x0.25 -> x0.5
                   the options of an existing classifier can't be changed: the API
                   documents only \`name\` for updates (API section 4.4)
                   - restore the option

      ? unknown   item.lost                               catalog/items/weapons.yaml:7
                   its create was sent at 2026-03-01T12:00:00.000Z; the outcome is
                   unknown: timeout
                   - if the service has the record: trove resolve item.lost --id ID
                   - if it does not: trove resolve item.lost --not-created

      = diverged  item.loud                               catalog/items/weapons.yaml:7
                   name  "LOUD" -> "Loud" (sent before, not stored)

      % replace   item.twin                               catalog/items/weapons.yaml:7

      & adopt     item.found                              catalog/items/weapons.yaml:7

      ^ revive    item.back                               catalog/items/weapons.yaml:7

      * reassert  item.again                              catalog/items/weapons.yaml:7

      ~ update    item.iron-sword                       catalog/items/weapons.yaml:120
                   name               "Iron Sword" -> "Steel Sword"
                   thumbnail          (none) -> "https://cdn.example/steel-sword.png"
                   attributes.damage  3..7 -> 4..8.5
                   attributes.speed   1..1 -> (none)
                   classifiers.slot   main-hand -> main-hand, off-hand
                   rollNumerator      40 -> 60
      ~ update    item.item-with-a-key-of-more-than-thirty-characters
                   catalog/items/weapons.yaml:7
                   name  "A blade that was forged twice in the old city, cooled in oil
                         and never lent to anybody"
                   ->    "A blade that was forged twice in the old city, cooled in oil
                         and never lent to anybody but me"

      - retire    item.old  id 6f837093-d6e4-5dc5-ab9b-649548449282

      + create    catalog/bows.yaml
            :1234  item.bow                  Bow

      + create    catalog/items/weapons.yaml
               :7  item.new-in-this-release  A blade that was forged twice in the old
                                             city, cooled in oil and never lent to
                                             anybody

      Plan: 2 to create, 1 to replace, 1 to adopt, 1 to revive, 1 to reassert, 2 to
        update, 1 to retire, 1 blocked, 1 unknown, 1 diverged, 1 to rename.
      "
    `);
  });

  test('shows remedies as bright as the rest', () => {
    expect(renderPlanText(everySection, true)).toMatch(/^ +- if it does not: trove resolve/m);
  });

  test('shows an assignment that moves to a new classifier record in one line', () => {
    const assigned = (classifier: string, before: string | null, after: string | null) => ({
      path: `classifiers.${classifier}`,
      before: before && [before],
      after: after && [after],
    });
    const moves = [
      assigned('element', null, 'earth'),
      assigned('element (old 2)', 'earth', null),
      // Which of two it leaves is not for one line, and what stays on the old record moves nowhere.
      assigned('rarity', null, 'rare'),
      assigned('rarity (old)', 'rare', null),
      assigned('rarity (old 2)', 'epic', null),
      assigned('slot', null, 'head'),
      assigned('tier', 'high', 'low'),
      assigned('tier (old)', 'high', null),
    ];
    const text = renderPlanText(planOf([change('a', 'update', { fields: moves })]), false);
    expect(text.match(/(?<=^ +classifiers\.).*/gm)).toEqual([
      'element         earth -> earth (new record)',
      'rarity          (none) -> rare',
      'rarity (old)    rare -> (none)',
      'rarity (old 2)  epic -> (none)',
      'slot            (none) -> head',
      'tier            high -> low',
      'tier (old)      high -> (none)',
    ]);
  });

  test('ends with one sentence if nothing changes', () => {
    const plan = planOf([]);
    const summary = { ...plan.summary, unchanged: 78 };
    expect(renderPlanText({ ...plan, summary }, false)).toMatch(/\n\nNo changes: 78 unchanged\.\n$/);
  });

  test('lists the first hundred creates and counts the rest', () => {
    const creates = Array.from({ length: 103 }, (_, n) => change(`i${n}`, 'create', { remoteId: null }));
    const text = renderPlanText(planOf(creates), false);
    expect(text.match(/item\.i\d+/g)).toHaveLength(100);
    expect(text).toContain('... and 3 more; --all lists them');
    expect(renderPlanText(planOf(creates), false, true).match(/item\.i\d+/g)).toHaveLength(103);
    expect(text).toContain('Plan: 103 to create.');
  });

  test('names the embedded service', () => {
    const plan = planOf([], { environment: 'local', target: { baseUrl: 'embedded', teamId: 'team_local' } });
    expect(renderPlanText(plan, false)).toContain('Plan for local: the embedded service, team team_local\n');
  });
});

test('the summary has the same numbers as the sections', () => {
  const diverged = { path: 'name', before: 'A', after: 'B', diverged: true };
  const plan = planOf([
    change('a', 'update', { fields: [{ path: 'rollNumerator', before: 1, after: 2 }, diverged] }),
    change('b', 'unchanged', { fields: [diverged] }),
  ]);
  const more = { ...plan, summary: { ...plan.summary, unchanged: 4 } };
  expect(summaryOf(more)).toBe('Plan: 1 to update, 1 diverged, 1 partly diverged; 3 unchanged.');
});

test('several plans show why apply refuses them, once if only names differ', () => {
  const limit = { ...limitExceeded, reason: 'too much', remedies: ['raise it'], override: null } as const;
  const of = (environment: string) => {
    const words = explainGuard({ code: 'no-state' }, { environment, flags: ` -e ${environment}` });
    return planOf([], {
      environment,
      guards: [{ code: 'no-state', override: '--new-environment', ...words }],
    });
  };
  const plans = [of('u'), of('v'), planOf([], { environment: 'w', guards: [limit] })];
  expect(renderPlannedText(plans, [], false)).toBe(`Compared with recorded state; no service was contacted.

In u and v:

Apply refuses the plans for u and v: environments u and v have no state, so
  every resource would be created [no-state]
  - after an earlier apply, restore the state from git, or from a copy made with
    trove state pull (a deleted branch: see Trove's docs/state.md)
  - if the state is lost: trove apply -e u -e v --recover
  - for a new environment: trove apply -e u -e v --new-environment

In w:

Apply refuses the plan for w: too much [limit-exceeded]
  - raise it

ENVIRONMENT  SERVICE       TEAM    PLAN
u            game.example  team_7  No changes: 0 unchanged
v            game.example  team_7  No changes: 0 unchanged
w            game.example  team_7  No changes: 0 unchanged
`);
  expect(renderPlannedText([...'abcdef'].map(of), [], false)).toContain(
    'Apply refuses the plans for a, b, c, d, e and f: environments a, b, c, d and 2\n  more have no state,',
  );
  expect(renderPlannedText([of('u'), planOf([], { environment: 'x' })], [], false)).toContain(
    '- for a new environment: trove apply -e u --new-environment',
  );
});

test('several plans drop the columns for service and team if the table is too wide', () => {
  const target = { baseUrl: 'http://127.0.0.1:8790/api', teamId: 'team_7' };
  const problems = [explained('a-rule', 'it is empty')];
  const tableOf = (longest: number) => {
    const plans = [planOf([], { environment: 'e'.repeat(longest), target })];
    const text = renderPlannedText(plans, [{ environment: 'other', problems }], false);
    return text.split('\n').slice(-4, -1);
  };
  expect(tableOf(8)).toEqual([
    'ENVIRONMENT  SERVICE                TEAM    PLAN',
    'eeeeeeee     http://127.0.0.1:8790  team_7  No changes: 0 unchanged',
    'other                                       refused: 1 problem, see below',
  ]);
  expect([30, 50].map((longest) => tableOf(longest)[0]?.split(/ +/))).toEqual([
    ['ENVIRONMENT', 'TEAM', 'PLAN'],
    ['ENVIRONMENT', 'PLAN'],
  ]);
});

test('several plans show common changes once, and others below their environment', () => {
  const raised = (after: number) =>
    change('sword', 'update', { fields: [{ path: 'rollNumerator', before: 40, after }] });
  const made = change('bow', 'create', { remoteId: null });
  const blocked = (environment: string) => ({
    ...change('axe', 'blocked'),
    reason: 'can not be done',
    remedies: [`replace it: trove apply -e ${environment} --replace item.axe`],
  });
  const named = (environment: string) => {
    const fields = [{ path: 'name', before: 'Axe', after: `Axe of environment ${environment} today` }];
    return change('named', 'update', { fields });
  };
  const of = (environment: string, after: number) =>
    planOf([raised(after), made, blocked(environment), named(environment)], { environment });
  const plans = [of('dev', 45), of('qa', 45), of('prod', 50)];
  expect(renderPlannedText(plans, [], false)).toMatchInlineSnapshot(`
    "Compared with recorded state; no service was contacted.

    In dev, prod and qa:

    ! blocked   item.axe                                catalog/items/weapons.yaml:7
                 can not be done
                 - replace it: trove apply -e dev -e prod -e qa --replace item.axe

    + create    catalog/items/weapons.yaml
             :7  item.bow

    In dev and qa:

    ~ update    item.sword                              catalog/items/weapons.yaml:7
                 rollNumerator  40 -> 45

    In dev:

    ~ update    item.named                              catalog/items/weapons.yaml:7
                 name  "Axe" -> "Axe of environment dev today"

    In qa:

    ~ update    item.named                              catalog/items/weapons.yaml:7
                 name  "Axe" -> "Axe of environment qa today"

    In prod:

    ~ update    item.named                              catalog/items/weapons.yaml:7
                 name  "Axe" -> "Axe of environment prod today"
    ~ update    item.sword                              catalog/items/weapons.yaml:7
                 rollNumerator  40 -> 50

    ENVIRONMENT  SERVICE       TEAM    PLAN
    dev          game.example  team_7  1 to create, 2 to update, 1 blocked
    prod         game.example  team_7  1 to create, 2 to update, 1 blocked
    qa           game.example  team_7  1 to create, 2 to update, 1 blocked
    "
  `);
});

test('the common reason of several changes is shown once above them', () => {
  const waiting = (key: string, reason: string) => ({ ...change(key, 'waiting'), reason });
  const changes = [waiting('a', 'one reason'), waiting('b', 'another'), waiting('c', 'one reason')];
  expect(renderPlanText(planOf(changes), false)).toMatchInlineSnapshot(`
    "Plan for staging: https://game.example/api, team team_7
    Compared with recorded state; the service was not contacted.

      2 waiting for the same reason: one reason
    : waiting   item.a                                  catalog/items/weapons.yaml:7
    : waiting   item.c                                  catalog/items/weapons.yaml:7

    : waiting   item.b                                  catalog/items/weapons.yaml:7
                 another

    Plan: 3 waiting.
    "
  `);
});

test('lines fit a terminal of 60 columns and use one of 120', () => {
  const reason = 'a sentence of some twenty words '.repeat(8).trim();
  const plan = planOf([{ ...change('a', 'blocked'), reason }]);
  const widest = (columns: number | undefined) => {
    fitTerminal(columns === undefined ? {} : { columns });
    return columnWidth(renderPlanText(plan, false).split('\n'));
  };
  fitTerminal({ columns: 120 });
  expect(columnWidth(atDefaultWidth(() => renderPlanText(plan, false)).split('\n'))).toBeLessThanOrEqual(80);
  const widths = [60, 80, 120, undefined].map(widest);
  expect(widths.map((width) => Math.ceil(width / 10) * 10)).toEqual([60, 80, 120, 80]);
  expect([widest(20), widest(400)]).toEqual([widths[0], widths[2]]);
  fitTerminal({});
});
