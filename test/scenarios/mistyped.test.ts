import { expect, test } from 'vitest';
import { createProject } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';

test.each([
  ['plna', "unknown command 'plna'", 'Did you mean plan?'],
  ['state lst', "unknown command 'lst'", 'Did you mean list?'],
  ['plan --targt item.torch', "unknown option '--targt'", 'Did you mean --target?'],
  ['apply --yess', "unknown option '--yess'", 'Did you mean --yes?'],
  ['state list --formt json', "unknown option '--formt'", 'Did you mean --format?'],
  ['--quite apply --yes', "unknown option '--quite'", 'Did you mean --quiet?'],
  ['--format json plan', "unknown option '--format'", '(it goes behind its command: trove plan --format)'],
  ['--yes state forget item.a', "unknown option '--yes'", 'command: trove state forget --yes)'],
  ['state --format json list', "unknown option '--format'", 'command: trove state list --format)'],
  ['help plna', "unknown command 'plna'", 'Did you mean plan?'],
  ['help state unlokc', "unknown command 'unlokc'", 'Did you mean unlock?'],
  ['plan --format jsn', 'there is no format `jsn` here', 'did you mean json?'],
  ['plan -e loacl', 'there is no environment `loacl`', 'did you mean `local`?'],
  ['apply --dry_run --yes', "unknown option '--dry_run'", '--help shows what there is'],
  ['plan everything', "too many arguments for 'plan'", '--help shows what there is'],
  ['\u001b[31m', "unknown command '\\e[31m'", '--help shows what there is'],
])('%j fails, does nothing, and names what was meant', async (args, message, help) => {
  await using project = await createProject(smallCatalog);
  const { code, stdout, stderr } = await project.run(args);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(message);
  expect(stderr).toContain(help);
});

test.each([
  'validate --catalog https://me:hunter2@host --format json',
  'plan --format json=https://me:hunter2@host/x',
  'apply https://me:hun/ter2@host',
  'https://me:hunter2@host',
  'apply https://hunter2@host',
  'plan --catalog https:/me:hunter2@host',
])('%j is refused without repeating the password in the URL', async (args) => {
  await using project = await createProject(smallCatalog);
  const { code, stdout, stderr } = await project.run(args);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('an argument contains a URL with a password, which is not repeated here');
  expect(stderr).not.toContain('ter2');
});

test.each([
  'apply STAGING_PASSWORD=hunter2',
  'spaces STAGING_PASSWORD:hunter2',
  'fmt Staging_Password=hunter2',
  'apply x-password=hunter2',
  'apply $SECRET=hunter2',
  'plan -eQA=hunter2',
  'plan --env=TOKEN=hunter2',
])('%j is refused without the value that it assigns', async (args) => {
  await using project = await createProject(smallCatalog);
  const { code, stdout, stderr } = await project.run(args);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('[credentials-in-argument]');
  expect(stderr).not.toContain('hunter2');
});

test('neither is that in a variable which stands for an argument', async () => {
  await using project = await createProject(smallCatalog);
  const env = { TROVE_CATALOG: 'https://me:hunter2@host' };
  const { code, stderr } = await project.run('doctor', { env });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: TROVE_CATALOG contains a URL with a password/);
  expect(stderr).not.toContain('hunter2');
});

test.each([
  'apply --password=hunter2',
  "apply --password=hun'ter2",
  'apply --password:hunter2',
  'apply -phunter2',
  '--pass=hunter2 plan',
])('%j does not repeat what may be a secret', async (args) => {
  await using project = await createProject(smallCatalog);
  const { code, stdout, stderr } = await project.run(args);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^error: unknown option '--?p(?:assword|ass)?'$/m);
  expect(stderr).not.toContain('ter2');
});
