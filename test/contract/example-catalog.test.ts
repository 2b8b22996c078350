import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { recorded } from '../rig/recorded.ts';
import { createTeam, statePath } from '../rig/team.ts';

const catalogFolder = resolve(import.meta.dirname, '../../catalog');

/** The example catalog by path, without its environments. */
async function exampleFiles(): Promise<Readonly<Record<string, string>>> {
  const paths = await readdir(catalogFolder, { recursive: true });
  const yaml = paths.filter((path) => path.endsWith('.yaml') && !path.startsWith('environments'));
  const read = async (path: string) => [
    join('catalog', path),
    await readFile(join(catalogFolder, path), 'utf8'),
  ];
  return Object.fromEntries(await Promise.all(yaml.map(read)));
}

/** `attributes` of an environment file, for every attribute that the catalog names. */
function attributesOf(text: string): string {
  const names = [...text.matchAll(/^ {2}([a-z-]+): \{ description/gm)].map(([, name]) => name);
  return `attributes: { ${names.map((name) => `${name}: attr_${name}`).join(', ')} }\n`;
}

test('apply creates and renames every record of the example catalog over HTTP, and nothing else', async () => {
  const files = await exampleFiles();
  const attributes = attributesOf(files['catalog/attributes.yaml'] ?? '');
  const profile = 'profile: { itemUpdate.classifierOptionIds: by-classifier }\n';
  await using team = await createTeam(files, `userId: user_1\n${attributes}${profile}`);
  expect(await team.run('apply --yes --new-environment')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('78 created'),
  });

  for (const path of Object.keys(files)) {
    const text = await team.project.read(path);
    await team.project.write(path, text.replace(/^( {4}name: .*\w)/gm, '$1 II'));
  }
  expect(await team.run('apply --yes')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('78 updated'),
  });
  expect(await team.run('apply --yes')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('No changes: 78 unchanged.'),
  });
  const { live } = recorded(await team.project.state(statePath));
  expect(Object.values(live).filter(({ confidence }) => confidence !== 'verified')).toEqual([]);
  expect([team.gateway.count('POST'), team.gateway.count('PUT')]).toEqual([78, 78]);
  expect(team.gateway.count('GET')).toBeGreaterThan(0);
});
