import { describe, expect, test } from 'vitest';
import type { AddressDifference } from '../../src/plan/compare-environments.ts';
import {
  type ListedEnvironment,
  renderEnvironmentList,
  renderEnvironmentsDifference,
} from '../../src/render/environment-text.ts';
import { columnWidth, fitTerminal } from '../../src/render/terminal.ts';

const baseUrl = 'https://game.example/api';
const target = { baseUrl, teamId: 'team_7' };
const recorded = { records: 70, retired: 0, imported: 0, unknown: 0, lastApply: '2026-11-21T19:05:59.000Z' };
const sample: ListedEnvironment = { name: 'staging', target, recorded, blocked: 0, trouble: null };

describe('the list of environments', () => {
  const headOf = (changes: Partial<ListedEnvironment>) =>
    renderEnvironmentList([{ ...sample, ...changes }]).split('\n', 1)[0];
  const named = (length: number) => ({ ...target, teamId: 't'.repeat(length) });

  test('has the time in UTC, and no column without values', () => {
    expect(renderEnvironmentList([sample]).split('\n')).toEqual([
      'ENVIRONMENT  SERVICE       TEAM    RECORDS  LAST APPLY (UTC)',
      'staging      game.example  team_7       70  2026-11-21 19:05',
      '',
    ]);
  });

  test('drops columns in the order of docs/new-team.md', () => {
    const some = { recorded: { ...recorded, retired: 3 }, blocked: 2 };
    expect([0, 4, 10, 25, 40].map((more) => headOf({ ...some, target: named(6 + more) }))).toEqual(
      [
        /SERVICE +TEAM +RECORDS +RETIRED +LAST APPLY \(UTC\) +OPEN/,
        /SERVICE +TEAM +RECORDS +RETIRED +LAST APPLY +OPEN/,
        /SERVICE +TEAM +RECORDS +LAST APPLY +OPEN/,
        /ENVIRONMENT +TEAM +RECORDS +LAST APPLY +OPEN/,
        /ENVIRONMENT +RECORDS +LAST APPLY +OPEN/,
      ].map((pattern) => expect.stringMatching(pattern)),
    );
  });

  test('shows everything that is open, and escapes hostile text', () => {
    const open = { ...recorded, unknown: 2, imported: 1 };
    const hostile = { baseUrl, teamId: '\u001b[31m\n' };
    expect(renderEnvironmentList([{ ...sample, recorded: open, blocked: 3 }])).toContain(
      '2 unknown, 3 blocked, 1 imported\n',
    );
    expect(renderEnvironmentList([{ ...sample, target: hostile }])).toContain('\\e[31m\\n');
  });
});

describe('the differences of two environments', () => {
  const pair = [
    { environment: 'one', target, hasState: true },
    { environment: 'other', target: { ...target, teamId: 'team_8' }, hasState: true },
  ] as const;
  const nothing = { settings: [], declared: [], recorded: [] };
  const shown = (changes: Partial<Parameters<typeof renderEnvironmentsDifference>[0]>) =>
    renderEnvironmentsDifference({ ...nothing, ...changes }, pair, false);

  test('show what is not managed or unknown, and escape hostile text', () => {
    const fields = [{ path: 'thumbnail', one: { $notManaged: true }, other: null }];
    const axe = { address: 'item.axe', one: 'declared', other: 'declared', fields } as const;
    const records: readonly AddressDifference[] = [
      { address: 'classifier.a', one: 'pending', other: 'pending', fields: [] },
      { address: 'item.b', one: 'recorded', other: 'pending', fields: [] },
      { address: 'item.c', one: 'absent', other: 'imported', fields: [] },
      { address: 'item.d', one: 'diverged', other: 'unconfirmed', fields: [] },
      { address: 'item.\u001b[2J', one: 'recorded', other: 'absent', fields: [] },
    ];
    expect(shown({ declared: [axe], recorded: records })).toMatchInlineSnapshot(`
      "one    https://game.example/api, team team_7
      other  https://game.example/api, team team_8
      Based on environment files and recorded state; no service was contacted.

      Declared
        item.axe
          thumbnail  (not managed) | (none)

      Recorded
        classifier.a  unknown
        item.b        unknown in other
        item.c        only in other (imported)
        item.d        diverged in one, unconfirmed in other
        item.\\e[2J    only in one

      one and other differ in 1 declared resource, 5 recorded resources.
      "
    `);
  });

  test('are cut after a hundred, with the number of the rest', () => {
    const many = Array.from({ length: 103 }, (_, at): AddressDifference => {
      return { address: `item.n${at}`, one: 'recorded', other: 'absent', fields: [] };
    });
    const text = shown({ recorded: many });
    expect(text).toContain('  ... and 3 more; --format json lists them all\n');
    expect(text).toContain('103 recorded resources.');
    fitTerminal({ columns: 60 });
    expect(columnWidth(shown({ recorded: many }).split('\n'))).toBeLessThanOrEqual(60);
    fitTerminal({});
  });
});
