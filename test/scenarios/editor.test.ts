import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createProject } from '../rig/project.ts';
import { createYamlEditor, languageServer } from '../rig/yaml-editor.ts';

const server = languageServer();

/** Opens a file of a fresh catalog with lines added, and asks about a place in the last one. */
async function ask(method: string, path: string, added: string, character = added.length): Promise<string> {
  await using project = await createProject({ note: '' });
  await project.run('init --base-url https://game.example/api --team-id t');
  using editor = await createYamlEditor(server ?? '');
  const text = `${(await project.read(path)).trimEnd()}\n${added}\n`;
  editor.open(join(project.folder, path), text);
  const at = text.split('\n').length - 2;
  return JSON.stringify(await editor.ask(method, join(project.folder, path), at, character));
}

describe.skipIf(server === undefined)('an editor with the YAML language server', () => {
  test('offers the keys of an item', async () => {
    const offered = await ask('completion', 'catalog/items.yaml', '    ');
    expect(offered).toContain('"label":"thumbnail"');
    expect(offered).toContain('The picture shown inside a space, at most 191 characters.');
  });

  test('explains a key of an item', async () => {
    const shown = await ask('hover', 'catalog/items.yaml', '  new-item:\n    rollNumerator: 3', 6);
    expect(shown).toContain('A number that the service stores with the item');
  });

  test('offers and explains the settings of an environment', async () => {
    const path = 'catalog/environments/staging.yaml';
    expect(await ask('completion', path, 'prof')).toContain('"label":"profile"');
    expect(await ask('completion', path, 'allowInsecureHttp: ')).toContain('"label":"true"');
    expect(await ask('hover', path, 'limits: {}', 2)).toMatch(/limit/i);
  });
});
