import { describe, expect, test } from 'vitest';
import type { ProbeReport } from '../../src/probe/model.ts';
import { type ProbeSubject, renderProbeIntent, renderProbeText } from '../../src/render/probe-text.ts';

const at = '2026-11-21T19:00:00.000Z';
const exchange = { request: 'PUT /items/x {}', answer: '200 {}' };
const subject: ProbeSubject = {
  environment: 'staging',
  target: { baseUrl: 'https://game.example/api', teamId: 'team_7\u001b[2J' },
  credentials: { usernameFrom: 'U', passwordFrom: 'P' },
  profile: { 'update.unknownId': 'created', 'itemUpdate.attributes': 'merge' },
  flags: ' -e staging',
};
const report: ProbeReport = {
  points: [
    { point: 'itemUpdate.classifierOptionIds', kind: 'found', value: 'by-option', at, exchange },
    {
      point: 'itemUpdate.assignments',
      kind: 'could-not-tell',
      because: 'not-emptied',
      at,
      exchange,
    },
    { point: 'itemUpdate.attributes', kind: 'known', value: 'replace', at },
    { point: 'update.unknownId', kind: 'found', value: 'rejected', at, exchange },
    { point: 'itemCreate.existingId', kind: 'not-tried', because: 'ids-ignored' },
    { point: 'classifierUpdate.options', kind: 'not-reached' },
  ],
  left: [{ address: 'item.trove-probe-a', id: `x\u001b]0;y` }],
  pending: ['item.trove-probe-a'],
  halt: { kind: 'interrupted' },
};

describe('a probe on a terminal', () => {
  test('shows its whole result', () => {
    expect(
      renderProbeText(report, subject, 'catalog/environments/staging.yaml', false),
    ).toMatchInlineSnapshot(`
      "SETTING                         VALUE
      itemUpdate.classifierOptionIds  by-option
      itemUpdate.assignments          inconclusive: it replaces, and an empty object
                                      leaves something
      itemUpdate.attributes           replace (known since 2026-11-21; the profile has
                                      merge)
      update.unknownId                rejected (the file had created)
      itemCreate.existingId           not tried: the service ignores ids on create
      classifierUpdate.options        not reached

      Stopped: interrupted. Findings so far are kept.
        To continue: trove probe -e staging
      The create of item.trove-probe-a has an unknown outcome. The next probe settles
        it.
      Written to catalog/environments/staging.yaml, with the evidence.
      These records stay in the service; the state keeps their IDs:
        item.trove-probe-a  id x\\e]0;y
      "
    `);
  });

  test('asks the reader to note the IDs if the state was not saved', () => {
    const text = renderProbeText(report, subject, undefined, false, false);
    expect(text).not.toContain('keeps their ids');
    expect(text).toContain('note their IDs, because the state was not saved:\n  item.trove-probe-a  id x');
  });

  test('shows the resolve commands for a create with an unknown outcome', () => {
    const halt = { kind: 'unknown', address: 'classifier.trove-probe' } as const;
    const unknown: ProbeReport = { points: [], left: [], pending: ['classifier.trove-probe'], halt };
    const text = renderProbeText(unknown, subject, undefined, false);
    expect(text).toMatch(/^Stopped: the create of classifier\.trove-probe has an unknown outcome/);
    expect(text).toContain('trove resolve classifier.trove-probe -e staging --id ID\n');
    expect(text).toContain('trove resolve classifier.trove-probe -e staging --not-created\n');
  });

  test('shows what it will do', () => {
    expect(renderProbeIntent(subject, ['update.unknownId'], 0)).toMatchInlineSnapshot(`
      "Probe of staging: https://game.example/api, team team_7\\e[2J
      It writes only to the records of an earlier probe.

      Settings to probe:
        update.unknownId

      "
    `);
  });

  test('fits 80 columns and escapes text from the service', () => {
    const texts = [
      renderProbeText(report, subject, 'catalog/environments/staging.yaml', false),
      renderProbeIntent(subject, ['update.unknownId'], 4),
    ];
    for (const text of texts) {
      expect(text).not.toContain('\u001b');
      expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    }
  });
});
