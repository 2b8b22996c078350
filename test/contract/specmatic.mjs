import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run, startUntil } from './processes.mjs';
import { writeDocument } from './specmatic-document.mjs';

const SPECMATIC = 'specmatic@2.55.1';
const LEAST_TESTS = 600;
const user = { id: 'user_1', username: 'designer', password: 'k3ep-me-s3cret', teamId: 'team_7' };
const world = {
  teams: [{ id: 'team_7', name: 'Armourers' }],
  users: [user],
  spaces: [{ id: 'space_1', name: 'Armoury', cols: 8, rows: 5, teamId: 'team_7', users: ['user_1'] }],
};

/** Specmatic sends several creates with one and the same id of greatest length, and expects all to succeed. */
const dialect = { 'itemCreate.existingId': 'overwritten' };

/**
 * Lets Specmatic make requests of every documented shape, with and without each optional field, up to the
 * documented lengths, and bodies and ids that break one rule each, against `trove serve`. Good ones must be answered
 * with what the document promises, bad ones refused.
 */
export async function refereeService() {
  const java = await run('java', ['-version'], { seconds: 30 });
  const version = Number(/version "(\d+)/.exec(java.output)?.[1] ?? 0);
  if (version < 17) return { verdict: 'left out', because: 'it needs Java 17, which is not here' };
  const jar = await findJar();
  if (jar === undefined) return { verdict: 'left out', because: `${SPECMATIC} can't be had by npx` };
  const folder = await mkdtemp(join(tmpdir(), 'trove-contract-'));
  try {
    return await judged(folder, jar);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The jar is called directly, since the package's own command leaves with 0 also when tests failed. */
async function findJar() {
  const print = 'readlink -f "$(command -v specmatic)"';
  const { code, output } = await run('npx', ['--yes', `--package=${SPECMATIC}`, '-c', print], {
    seconds: 180,
  });
  const command = /^\/.*\/specmatic\/dist\/.*$/m.exec(output)?.[0];
  return code === 0 && command ? join(command.replace(/\/dist\/.*$/, ''), 'specmatic.jar') : undefined;
}

async function judged(folder, jar) {
  await writeFile(join(folder, 'world.json'), JSON.stringify(world));
  await writeFile(join(folder, 'dialect.json'), JSON.stringify(dialect));
  const settings = ['--db', 'items.db', '--world', 'world.json', '--dialect', 'dialect.json'];
  const serve = [resolve('dist/cli.js'), 'serve', '--port', '0', ...settings];
  const service = await startUntil(/Listening on (http:\S+)/, process.execPath, serve, {
    seconds: 30,
    cwd: folder,
  });
  try {
    const [, baseUrl] = service.match;
    const basic = Buffer.from(`${user.username}:${user.password}`).toString('base64');
    await writeDocument(folder, { baseUrl, basic, userId: user.id });
    const test = ['-jar', jar, 'test', 'item-service.yaml', `--testBaseURL=${baseUrl}`];
    // `basic` is the name of the security scheme in the document.
    const env = { basic, SPECMATIC_GENERATIVE_TESTS: 'true' };
    return verdictOf(await run('java', test, { seconds: 240, cwd: folder, env }));
  } finally {
    await service.stop();
  }
}

function verdictOf({ code, output }) {
  const [because, tests = 0] = /Tests run: (\d+), .*/.exec(output) ?? ['it did not come to an end'];
  if (code === 0 && Number(tests) >= LEAST_TESTS) return { verdict: 'passed', because };
  const failed = output.match(/^.*Scenario: .* has FAILED[\s\S]*?\n\n\n/gm) ?? [output];
  return { verdict: 'failed', because: `${because}\n${failed.join('')}` };
}
