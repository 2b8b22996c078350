import { cp, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../rig/project.ts';

const root = resolve(import.meta.dirname, '../..');

test('the Markdown in docs/review.md is what a plan of the example catalog gives', async () => {
  const page = await readFile(join(root, 'docs/review.md'), 'utf8');
  const shown = /^```markdown\n(.*?)^```$/ms.exec(page)?.[1];
  await using project = await createProject({});
  for (const folder of ['catalog', 'schemas'])
    await cp(join(root, folder), join(project.folder, folder), {
      recursive: true,
      filter: (path) => !path.includes('.trove'),
    });
  expect(await project.run('apply --yes --quiet')).toMatchObject({ code: 0 });
  await project.edit('catalog/classifiers.yaml', 'dropRateMultiplier: 0.85', 'dropRateMultiplier: 0.9');
  const planned = await project.run('plan --format markdown');
  expect(planned).toMatchObject({ code: 3, stderr: '' });
  expect(planned.stdout.trim()).toBe(shown?.trim());
});
