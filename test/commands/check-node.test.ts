import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkNode } from '../../src/commands/doctor/check-setup.ts';

test.each([
  ['20.19.0', 'ok'],
  ['20.20.2', 'ok'],
  ['24.1.0', 'ok'],
  ['20.18.9', 'error'],
  ['18.20.0', 'error'],
])('Node %s: %s', (version, status) => {
  expect(checkNode(version)).toMatchObject({ check: 'node', status });
});

test('what it asks for is what the package asks for', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
  expect(checkNode('18.0.0').remedies[0]).toContain(`Node ${engines.node.replace('>=', '')} or later`);
});
