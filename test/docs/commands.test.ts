import { expect, test } from 'vitest';
import { commandTree } from '../rig/command-tree.ts';
import { commandReference } from './command-reference.ts';

test('docs/commands.md matches the command line (npm run reference writes it)', async () => {
  await expect(commandReference(commandTree())).toMatchFileSnapshot('../../docs/commands.md');
});
