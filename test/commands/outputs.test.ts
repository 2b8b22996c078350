import { spawnSync } from 'node:child_process';
import { constants, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { type CommandContext, leadsOutOfCatalog } from '../../src/commands/context.ts';
import { appendStepSummary, writeTextFile } from '../../src/commands/outputs.ts';
import { folderWith } from '../catalog/folder.ts';

async function pipeIn() {
  const cwd = await folderWith({ 'catalog/a.yaml': '' });
  spawnSync('mkfifo', ['pipe'], { cwd });
  const io = { cwd, env: { GITHUB_STEP_SUMMARY: 'pipe' } };
  return { cwd, context: { io, catalogPath: join(cwd, 'catalog') } as unknown as CommandContext };
}

const longText = 'x'.repeat(2 ** 18);
const writers: [string, (context: CommandContext) => ReturnType<typeof writeTextFile>][] = [
  ['an output', (context) => writeTextFile('pipe', longText, context)],
  ['the summary of a step', (context) => appendStepSummary(longText, context)],
];

test.each(writers)('%s does not wait for a reader of a named pipe', async (_, write) => {
  const { context } = await pipeIn();
  expect(await write(context)).toMatchObject([{ rule: 'unwritable-file', values: { code: 'ENXIO' } }]);
});

test.each(writers)('%s goes whole through a named pipe that has a reader', async (_, write) => {
  const { cwd, context } = await pipeIn();
  const fd = openSync(join(cwd, 'pipe'), constants.O_RDONLY | constants.O_NONBLOCK);
  const output = text(new Socket({ fd, readable: true, writable: false }));
  expect(await write(context)).toEqual([]);
  expect(await output).toBe(longText);
});

test.each(['catalog/state/new.json', '.git/config', 'link'])(
  'no output goes through a link to %s, which would be in the catalog or git',
  async (target) => {
    const { cwd, context } = await pipeIn();
    symlinkSync('catalog/new.json', join(cwd, 'link'));
    symlinkSync(target, join(cwd, 'out.json'));
    expect(await writeTextFile('out.json', 'text', context)).toMatchObject([{ rule: 'output-in-catalog' }]);
  },
);

test('no output goes through a link out of the working folder', async () => {
  const { cwd, context } = await pipeIn();
  writeFileSync(`${cwd}-outside`, 'as it was');
  symlinkSync(`${cwd}-outside`, join(cwd, 'plan.json'));
  expect(await writeTextFile('plan.json', 'text', context)).toMatchObject([
    { rule: 'link-outside', subject: 'plan.json' },
  ]);
  expect(readFileSync(`${cwd}-outside`, 'utf8')).toBe('as it was');
});

test('a link out of the catalog is found even if its target does not exist', async () => {
  const { cwd, context } = await pipeIn();
  symlinkSync('../new.db', join(cwd, 'catalog/service.db'));
  symlinkSync('round', join(cwd, 'catalog/round'));
  expect(await leadsOutOfCatalog(join(cwd, 'catalog/service.db'), context)).toMatchObject({
    rule: 'link-outside',
  });
  expect(await leadsOutOfCatalog(join(cwd, 'catalog/round'), context)).toBeUndefined();
});
