import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { renderFindings } from '../../src/render/command-texts.ts';
import type { ExplainedFinding } from '../../src/render/model.ts';

const attack = '\u001b]0;owned\u0007\u202Eevil\n::error::forged';

const findings: readonly ExplainedFinding[] = [
  { check: 'node', status: 'ok', message: '20.19.0', remedies: [] },
  {
    check: 'catalog',
    status: 'error',
    message:
      '2 problems; the first: option `raer` is not declared in classifier `rarity` (catalog/items.yaml:4:1)',
    remedies: [
      'did you mean `rare`?',
      'to see them all: trove validate -e a-team-with-a-long-name-of-its-own',
    ],
  },
  { check: 'service', status: 'skipped', message: 'it needs the credentials', remedies: [] },
  { check: 'team', status: 'skipped', message: 'it needs the credentials', remedies: [] },
  { check: 'lock', status: 'skipped', message: 'another reason', remedies: ['do this'] },
  { check: 'journal', status: 'skipped', message: 'another reason', remedies: [] },
  { check: 'unconfirmed', status: 'warning', message: attack, remedies: [attack] },
];

describe('findings', () => {
  test('have one line each with remedies, and skips for one reason share a line', () => {
    expect(renderFindings(findings, false)).toMatchInlineSnapshot(`
      "ok    node         20.19.0
      FAIL  catalog      2 problems; the first: option \`raer\` is not declared in
                         classifier \`rarity\` (catalog/items.yaml:4:1)
                         - did you mean \`rare\`?
                         - to see them all:
                           trove validate -e a-team-with-a-long-name-of-its-own
      skip  service, team: it needs the credentials
      skip  lock         another reason
                         - do this
      skip  journal      another reason
      warn  unconfirmed  \\e]0;owned\\u0007\\u202eevil\\n::error::forged
                         - \\e]0;owned\\u0007\\u202eevil\\n::error::forged

      1 error, 1 warning.
      "
    `);
  });

  test('end with the number of errors, or with no problems', () => {
    expect(renderFindings(findings.slice(0, 2), false)).toMatch(/\n\n1 error\.\n$/);
    expect(renderFindings(findings.slice(0, 1), false)).toMatch(/\n\nNo problems found\.\n$/);
  });

  test('in color only have additional escapes', () => {
    const colored = renderFindings(findings, true);
    expect(colored).toContain('\u001b[31mFAIL');
    expect(stripVTControlCharacters(colored)).toBe(renderFindings(findings, false));
  });
});
