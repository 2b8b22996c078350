import { expect, test } from 'vitest';
import type { CommandContext } from '../../src/commands/context.ts';
import { guarded } from '../../src/commands/doctor/finding.ts';

function fail(): Promise<never> {
  throw new Error('nobody foresaw this');
}

test.each([false, true])(
  'a check that breaks is a finding; with --debug (%s) its stack is told',
  async (debug) => {
    const notes: string[] = [];
    const context: Pick<CommandContext, 'debug' | 'note'> = { debug, note: (text) => notes.push(text) };
    const { findings, value } = await guarded(context, ['state', 'lock'], fail);
    expect(value).toBe(undefined);
    expect(findings).toMatchObject([
      { check: 'state', status: 'error', message: 'this could not be checked: nobody foresaw this' },
      { check: 'lock', status: 'skipped' },
    ]);
    expect(notes.join('')).toMatch(debug ? /^error: .*\n {4}at /s : /^$/);
  },
);
