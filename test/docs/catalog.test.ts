import { expect, test } from 'vitest';
import schema from '../../schemas/catalog.schema.json' with { type: 'json' };
import { createProject } from '../rig/project.ts';
import { catalogReference } from './catalog-reference.ts';

const text = catalogReference(schema);

test('docs/catalog.md has every key of the schema (npm run reference writes it)', async () => {
  await expect(text).toMatchFileSnapshot('../../docs/catalog.md');
});

test('the example in docs/catalog.md is valid', async () => {
  const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(text) ?? [];
  await using project = await createProject({ 'catalog/game.yaml': example });
  expect(await project.run('validate')).toMatchObject({ code: 0, stderr: '' });
});
