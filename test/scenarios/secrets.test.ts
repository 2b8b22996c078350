import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Fate } from '../rig/gateway.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { createTeam, type Team } from '../rig/team.ts';

const password = 'k3ep-me-s3cret';
const authorization = `Basic ${Buffer.from(`designer:${password}`).toString('base64')}`;

/** Everything below the folder of a project, as one text. */
async function allFiles({ project }: Team): Promise<string> {
  const files = await readdir(join(project.folder), { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), 'utf8'));
  return (await Promise.all(texts)).join('\n');
}

const echo = { password, authorization, headers: { authorization }, form: `p=${password}` };

test.each<[string, Fate]>([
  ['in undocumented fields', { rewrite: (answer) => ({ ...answer, echo }) }],
  ['in the name', { rewrite: (answer) => ({ ...answer, name: `${answer.name} ${password}` }) }],
  ['in the team', { rewrite: (answer) => ({ ...answer, teamId: password }) }],
  ['as the id', { rewrite: (answer) => ({ ...answer, id: password }) }],
  ['as the id of an option', { rewrite: (answer) => ({ ...answer, classifierOptions: [{ id: password }] }) }],
  ['in an error', { status: 422, body: JSON.stringify({ message: `no: ${authorization}`, echo }) }],
  [
    'where it leads to',
    { status: 302, body: '', headers: { location: `/login?p=${encodeURIComponent(password)}` } },
  ],
])('credentials that the service repeats %s land nowhere', async (_, fate) => {
  await using team = await createTeam(smallCatalog);
  team.gateway.decide = () => fate;
  const flags = ['--format text', '--format json', '--format ndjson', '--debug'];
  for (const flag of flags) {
    const { stdout, stderr } = await team.run(`apply --yes --new-environment ${flag}`);
    for (const secret of [password, authorization.slice(6), authorization.slice(6, 20)])
      expect(stdout + stderr).not.toContain(secret);
  }
  const files = await allFiles(team);
  for (const secret of [password, authorization.slice(6)]) expect(files).not.toContain(secret);
});
