import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../rig/project.ts';
import { pattern, runSteps, stepsOf } from '../rig/transcript.ts';

const root = resolve(import.meta.dirname, '../..');

/** What a fresh clone has after `npm ci`, as far as the documents need it. */
const parts = [
  'catalog',
  'schemas',
  'dist',
  'node_modules/libsql',
  'node_modules/@libsql',
  'node_modules/@neon-rs',
  'node_modules/detect-libc',
];

/** Every document with a `console` block: what is only shown is a block of `sh`. */
const documents = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => join('docs', name))].filter(
  (path) => path.endsWith('.md') && /^```console$/m.test(readFileSync(join(root, path), 'utf8')),
);

test('the documents with commands are found', () => {
  expect(documents).toEqual(expect.arrayContaining(['README.md', 'docs/recovery.md', 'docs/events.md']));
});

test.each(documents)('the commands of %s print what it shows', async (document) => {
  const steps = stepsOf(await withFreePorts(await readFile(join(root, document), 'utf8')));
  expect(steps.length).toBeGreaterThan(0);
  const folder = await mkdtemp(join(tmpdir(), 'trove-document-'));
  try {
    for (const part of parts) await copyPart(part, folder);
    const { PATH, HOME } = process.env;
    const outputs = await runSteps(steps, folder, { PATH, HOME });
    for (const [index, { command, expected }] of steps.entries()) {
      expect(outputs[index], command).toMatch(pattern(expected));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('docs/review.md shows the Markdown of a plan of the example catalog', async () => {
  const page = await readFile(join(root, 'docs/review.md'), 'utf8');
  const shown = /^```markdown\n(.*?)^```$/ms.exec(page)?.[1];
  await using project = await createProject();
  await copyPart('schemas', project.folder);
  expect(await project.run('apply --yes --quiet')).toMatchObject({ code: 0 });
  await project.edit('catalog/classifiers.yaml', 'dropRateMultiplier: 0.85', 'dropRateMultiplier: 0.9');
  const planned = await project.run('plan --format markdown');
  expect(planned).toMatchObject({ code: 3, stderr: '' });
  expect(planned.stdout.trim()).toBe(shown?.trim());
});

async function copyPart(part: string, folder: string): Promise<void> {
  await mkdir(join(folder, part, '..'), { recursive: true });
  await cp(join(root, part), join(folder, part), {
    recursive: true,
    filter: (path) => !path.includes('.trove'),
  });
}

/** Another checkout may run the same documents. As many digits, so that the shown lines are as long. */
async function withFreePorts(markdown: string): Promise<string> {
  const named = new Set(Array.from(markdown.matchAll(/--port (\d{4})\b/g), ([, port = '']) => port));
  let text = markdown;
  for (const port of named)
    text = text.replaceAll(`:${port}`, `:PORT-${port}`).replaceAll(` ${port} `, ` PORT-${port} `);
  for (const port of named) text = text.replaceAll(`PORT-${port}`, String(await freePort()));
  return text;
}

async function freePort(): Promise<number> {
  const port = 2000 + Math.floor(Math.random() * 8000);
  const server = createServer();
  const isFree = await new Promise<boolean>((done) => {
    server.once('error', () => done(false)).listen(port, '127.0.0.1', () => done(true));
  });
  if (!isFree) return freePort();
  await new Promise((done) => server.close(done));
  return port;
}
