import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createProject } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { hasTerminal, onTerminal, type Typed } from '../rig/terminal.ts';

const answer = (keys: string): Typed => ['is accepted: ', keys];

describe.skipIf(!hasTerminal)('on a terminal (needs script of util-linux)', () => {
  test('yes applies, with a progress bar', async () => {
    await using project = await createProject(smallCatalog);
    const { code, screen } = await onTerminal(project, 'apply', answer('yes\n'));
    expect(code).toBe(0);
    expect(screen).toContain('Plan: 5 to create.');
    expect(screen).toContain('[##############################] 5 of 5');
    expect(screen).toContain('Applied to local: 5 created.');
  });

  test.each([
    ['no', 'no\n', 1],
    ['y', 'y\n', 1],
    ['Ctrl-C', '\x03', 130],
    ['the end of input', '\x04', 1],
  ])('%s sends nothing and records nothing', async (_, keys, left) => {
    await using project = await createProject(smallCatalog);
    const { code, screen } = await onTerminal(project, 'apply', answer(keys));
    expect([code, screen.includes('Nothing was sent.')]).toEqual([left, true]);
    expect(existsSync(join(project.folder, 'catalog/.trove/service.db'))).toBe(false);
    expect((await project.run('apply --yes')).code).toBe(0);
  });

  test.each([
    ['yes', 'yes\n', 0, 'Recorded for local: 2 records.', 1],
    ['no', 'no\n', 1, 'Nothing was recorded.', 0],
    ['Ctrl-C', '\x03', 130, 'Nothing was recorded.', 0],
  ])('import asks where a file has several ids: %s', async (_, keys, left, said, serial) => {
    const ids = 'item.torch: t\nitem.oak-bow: b\n';
    await using project = await createProject({ ...smallCatalog, 'ids.yaml': ids });
    const { code, screen } = await onTerminal(project, 'import --file ids.yaml', answer(keys));
    expect([code, screen.includes('& import   item.torch'), screen.includes(said)]).toEqual([
      left,
      true,
      true,
    ]);
    const path = 'catalog/.trove/local.state.json';
    expect(existsSync(join(project.folder, path)) ? (await project.state()).serial : 0).toBe(serial);
  });

  test.each([
    ['yes', 'yes\n', 0, 'Forgotten: item.torch.', 0],
    ['no', 'no\n', 1, 'Nothing was forgotten.', 1],
  ])('state forget asks: %s', async (_, keys, left, said, imported) => {
    await using project = await createProject(smallCatalog);
    await project.run('import item.torch t-1');
    const { code, screen } = await onTerminal(project, 'state forget item.torch', answer(keys));
    expect([code, screen.includes('t-1'), screen.includes(said)]).toEqual([left, true, true]);
    const { stdout } = await project.run('state list --format json');
    expect(JSON.parse(stdout)).toHaveLength(imported);
  });
});
