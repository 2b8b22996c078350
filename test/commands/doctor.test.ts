import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { CommandContext } from '../../src/commands/context.ts';
import { lookSafely } from '../../src/commands/doctor/finding.ts';
import { checkNode } from '../../src/commands/doctor.ts';

test.each([
  ['20.19.0', 'ok'],
  ['20.20.2', 'ok'],
  ['24.1.0', 'ok'],
  ['20.18.9', 'error'],
  ['18.20.0', 'error'],
])('doctor reports Node %s as %s', (version, status) => {
  expect(checkNode(version)).toMatchObject({ check: 'node', status });
});

test('doctor requires the same version of Node as the package', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
  expect(checkNode('18.0.0')).toMatchObject({ oldest: engines.node.replace('>=', '') });
});

function fail(): Promise<never> {
  throw new Error('nobody foresaw this');
}

test.each([false, true])(
  'a check that throws is a finding, with its stack if --debug is %s',
  async (debug) => {
    const notes: string[] = [];
    const context: Pick<CommandContext, 'debug' | 'note'> = { debug, note: (text) => notes.push(text) };
    const findings = await lookSafely(context, { checks: ['state', 'lock'], look: fail });
    expect(findings).toMatchObject([
      { check: 'state', status: 'error', code: 'broken', cause: 'nobody foresaw this' },
      { check: 'lock', status: 'skipped' },
    ]);
    expect(notes.join('')).toMatch(debug ? /^error: .*\n {4}at /s : /^$/);
  },
);
