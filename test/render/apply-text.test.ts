import { describe, expect, test } from 'vitest';
import { renderApplyJson, renderApplyText } from '../../src/render/apply-text.ts';
import type {
  ExplainedHalt,
  ExplainedReport,
  ExplainedResult,
} from '../../src/render/messages/explain-plan.ts';
import { serviceError } from '../rig/memory-service.ts';
import { everyResult, reader, result } from './sample-report.ts';

const render = (report: ExplainedReport) => renderApplyText(report, false, reader);
const reportOf = (results: readonly ExplainedResult[], halt?: ExplainedHalt): ExplainedReport => ({
  ...everyResult,
  moved: [],
  protections: [],
  results,
  ...(halt && { halt }),
});

describe('the output of an apply', () => {
  test('repeats the targets of the plan in its next step', () => {
    const report = reportOf([result('odd', 'update', 'unknown')]);
    const text = renderApplyText(report, false, { ...reader, askedFor: { targets: ['item.odd'] } });
    expect(text).toContain('trove apply -e staging --target item.odd\n');
  });

  test('shows about a hundred lines of thousands of differences', () => {
    const fields = Array.from({ length: 100_000 }, (_, at) => ({
      path: `options.o${at}`,
      before: 'x'.repeat(at === 0 ? 1_000_000 : 9),
      after: null,
    }));
    const text = render(reportOf([{ ...result('odd', 'update', 'diverged'), fields }]));
    expect(text.split('\n').length).toBeLessThan(110);
    expect(text.length).toBeLessThan(20_000);
    expect(text).toContain('... of 100000 differences');
  });

  test('shows every result with what to do about it', () => {
    expect(render(everyResult)).toMatchInlineSnapshot(`
      "failed     item.bad
        Create Item (POST /items) was refused: 422 Unprocessable Entity -
        "rollNumerator is not a number"
        the service rejected this request: fix what it names, then run the same
        command again
      unrecorded item.full-disk  id 6f837093-d6e4-5dc5-ab9b-649548449282
        It exists as 6f837093-d6e4-5dc5-ab9b-649548449282, which is not in the state.
        If its create is still pending:
        trove resolve item.full-disk -e staging --id 6f837093-d6e4-5dc5-ab9b-649548449282
        If not:
        trove import -e staging item.full-disk 6f837093-d6e4-5dc5-ab9b-649548449282
      unrecorded item.full-disk-at-an-update-of-a-long-key
        id 6f837093-d6e4-5dc5-ab9b-649548449282
        It was applied but not recorded. To send it again: trove apply -e staging
      unknown    item.lost
        the outcome of Create Item (POST /items) is unknown: the request timed out
        It may or may not exist. Check the service, then run one of these commands:
        - if it exists: trove resolve item.lost -e staging --id ID
        - if it does not: trove resolve item.lost -e staging --not-created
      unknown    item.lost-update  id 6f837093-d6e4-5dc5-ab9b-649548449282
        the outcome of Update Item (PUT /items/6f837093-d6e4-5dc5-ab9b-649548449282)
        is unknown: the request timed out
        It may or may not have been applied. To send it again: trove apply -e staging
      unknown    item.foreign  id another
        the answer names record another, and the update was of
        6f837093-d6e4-5dc5-ab9b-649548449282
        It may or may not have been applied. To send it again: trove apply -e staging
      waiting    item.waiting
        depends on classifier.tier (unknown)
      diverged   item.loud  id 6f837093-d6e4-5dc5-ab9b-649548449282
        name: sent "Loud", answered "LOUD"
      not-started item.after
        classifier.tier was not created

      Applied to staging: 1 created, 1 updated, 1 retired, 1 renamed, 1 protected, 1
        unprotected, 1 diverged, 1 failed, 3 unknown, 2 unrecorded, 1 waiting, 2 not
        started.
      "
    `);
  });

  test.each<[string, ExplainedHalt, string]>([
    [
      'interrupted',
      { kind: 'interrupted' },
      'Requests in flight were finished; plan and apply again for the rest.',
    ],
    ['canary', { kind: 'canary' }, 'none of the first writes succeeded'],
    ['wrong team', { kind: 'wrong-team', expected: 'team_7', answered: 'team_8' }, 'team team_8'],
    [
      'another ID of a create',
      { kind: 'other-id', method: 'POST', address: 'item.a', asked: 'i-1', answered: 'i-2' },
      'asked for item.a as i-1 but returned i-2. If the service assigns its own IDs, set itemCreate.clientId',
    ],
    [
      'another ID of a search',
      { kind: 'other-id', method: 'PUT', address: 'item.a', asked: 'i-1', answered: 'i-2' },
      'returned i-2. An update may create records with other IDs, or a proxy may be changing its responses.',
    ],
    ['service', { kind: 'service', error: serviceError }, 'every other write would fail'],
    ['journal', { kind: 'journal', message: 'no space left on device' }, '(no space left on device)'],
    ['state lost', { kind: 'state-lost', message: 'the lock was removed' }, 'no longer has the state'],
  ])('explains why it stopped: %s', (_, halt, words) => {
    const text = render(reportOf([], halt)).replaceAll('\n  ', ' ');
    expect(text).toMatch(/^Stopped: /);
    expect(text).toContain(words);
  });

  test('lists the first twenty failures and counts the rest', () => {
    const results = Array.from({ length: 23 }, (_, n) => result(`i${n}`, 'create', 'failed'));
    const text = render(reportOf(results));
    expect(text.match(/^failed/gm)).toHaveLength(20);
    expect(text).toContain('... and 3 more; --format json lists them all');
    expect(text).toContain('Nothing was changed in staging: 23 failed.');
  });

  test.each([
    ['an unknown imported ID', 'adopt', 404, 'i-1', 'trove state forget item.bad -e staging'],
    ['an existing record not in the state', 'create', 409, null, 'trove import -e staging item.bad ID'],
    [
      'an existing record with the requested ID',
      'create',
      409,
      'i 9',
      "trove import -e staging item.bad 'i 9'",
    ],
  ] as const)('names the next command if the service refuses %s', (_, action, status, remoteId, command) => {
    const error = { ...serviceError, reason: 'status', status } as const;
    expect(render(reportOf([result('bad', action, 'failed', { remoteId, error })]))).toContain(command);
  });

  test('suggests no state forget for a record that a recovery did not find', () => {
    const error = { ...serviceError, reason: 'status', status: 404 } as const;
    const failed = result('bad', 'adopt', 'failed', { remoteId: null, error });
    expect(render(reportOf([failed]))).not.toContain('forget');
  });

  test('contains every unrecorded ID, however many there are', () => {
    const results = Array.from({ length: 30 }, (_, n) => [
      result(`made${n}`, 'create', 'unrecorded', { remoteId: `made-${n}.` }),
      result(`odd${n}`, 'create', 'unknown', { remoteId: `odd-${n}.`, reason: 'another team' }),
      result(`late${n}`, 'create', 'unknown', { remoteId: null, error: serviceError }),
      result(`known${n}`, 'update', 'unknown', { remoteId: `known-${n}.`, error: serviceError }),
    ]).flat();
    const text = render(reportOf(results));
    for (let n = 0; n < 30; n++) {
      expect(text).toContain(`id made-${n}.`);
      expect(text).toContain(`id odd-${n}.`);
    }
    expect(text).not.toMatch(/known29|late29/);
  });

  test('as JSON has every result, the counts and the saved state', () => {
    const state = { lineage: 'a', serial: 3 } as Parameters<typeof renderApplyJson>[1];
    const json = JSON.parse(renderApplyJson(everyResult, state));
    expect(json).toMatchObject({
      formatVersion: 1,
      environment: 'staging',
      summary: { applied: 1, diverged: 1, recorded: 1, failed: 1, unknown: 3, waiting: 1, unrecorded: 2 },
      state: { lineage: 'a', serial: 3 },
    });
    expect(json.results).toHaveLength(everyResult.results.length);
  });
});
