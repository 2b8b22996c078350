import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject, expectRefused, type Project } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';

let project: Project;
beforeAll(async () => {
  project = await createProject(smallCatalog);
});
afterAll(() => project[Symbol.asyncDispose]());

test.each([
  ['plna', "unknown command 'plna'", 'Did you mean plan?'],
  ['state lst', "unknown command 'lst'", 'Did you mean list?'],
  ['plan --targt item.torch', "unknown option '--targt'", 'Did you mean --target?'],
  ['apply --yess', "unknown option '--yess'", 'Did you mean --yes?'],
  ['state list --formt json', "unknown option '--formt'", 'Did you mean --format?'],
  ['--quite apply --yes', "unknown option '--quite'", 'Did you mean --quiet?'],
  ['--format json plan', "unknown option '--format'", '(it goes after its command: trove plan --format)'],
  ['--yes state forget item.a', "unknown option '--yes'", 'command: trove state forget --yes)'],
  ['state --format json list', "unknown option '--format'", 'command: trove state list --format)'],
  ['help plna', "unknown command 'plna'", 'Did you mean plan?'],
  ['help state unlokc', "unknown command 'unlokc'", 'Did you mean unlock?'],
  ['destroy', "unknown command 'destroy'", 'remove a resource from the catalog, and apply retires it)'],
  ['plan -target=item.torch', "unknown option '-target'", '(write it with two hyphens: --target)'],
  ['plan -target item.torch', "unknown option '-target'", '(write it with two hyphens: --target)'],
  [
    'apply --auto-approve',
    "unknown option '--auto-approve'",
    '(to skip the confirmation: trove apply --yes)',
  ],
  ['apply -auto-approve', "unknown option '-auto-approve'", '(to skip the confirmation: trove apply --yes)'],
  ['plan -environment ptr', "unknown option '-environment'", '(to name an environment: -e NAME)'],
  ['apply -environment=ptr', "unknown option '-environment'", '(to name an environment: -e NAME)'],
  ['plan -var x=1', "unknown option '-var'", 'whose names begin with TROVE_VAR_)'],
  ['-chdir=game plan', "unknown option '-chdir'", '(to name the catalog folder: --catalog DIR)'],
  ['plan catalog', "too many arguments for 'plan'", '(to name the catalog folder: --catalog DIR)'],
  ['taint item.torch', "unknown command 'taint'", '(to replace a record: trove apply --replace ADDRESS)'],
  ['state rm item.torch', "unknown command 'rm'", 'trove state forget ADDRESS)'],
  ['help workspace', "unknown command 'workspace'", 'trove env list)'],
  ['show', "missing required argument 'file'", 'for what is recorded: trove state list)'],
  ['plan --format jsn', 'unknown format `jsn`', 'did you mean json?'],
  ['plan -e loacl', 'no such environment: `loacl`', 'did you mean `local`?'],
  ['apply --dry_run --yes', "unknown option '--dry_run'", '--help lists arguments and flags'],
  ['plan everything', "too many arguments for 'plan'", '--help lists arguments and flags'],
  ['\u001b[31m', "unknown command '\\e[31m'", '--help lists commands and flags'],
])('%j fails, does nothing and prints what to try', async (args, message, help) => {
  expectRefused(await project.run(args), message, help);
});

const withUrl = 'an argument contains a URL with a password (omitted here)';
const withValue = '[credentials-in-argument]';

test.each([
  ['validate --catalog https://me:hunter2@host --format json', withUrl],
  ['plan --format json=https://me:hunter2@host/x', withUrl],
  ['apply https://me:hun/ter2@host', withUrl],
  ['https://me:hunter2@host', withUrl],
  ['apply https://hunter2@host', withUrl],
  ['plan --catalog https:/me:hunter2@host', withUrl],
  ['apply STAGING_PASSWORD=hunter2', withValue],
  ['spaces STAGING_PASSWORD:hunter2', withValue],
  ['fmt Staging_Password=hunter2', withValue],
  ['apply x-password=hunter2', withValue],
  ['apply pwd=hunter2', withValue],
  ['apply —password=hunter2', withValue],
  ['apply $SECRET=hunter2', withValue],
  ['plan -eQA=hunter2', withValue],
  ['plan --env=TOKEN=hunter2', withValue],
  ['apply --yes --password-stdin hunter2', withValue],
  ['plan --out --phunter2', "option '--out <file>' has no value: a flag follows it"],
  ['apply --password=hunter2', "unknown option '--password'"],
  ["apply --password=hun'ter2", "unknown option '--password'"],
  ['apply --password:hunter2', "unknown option '--password'"],
  ['apply -phunter2', "unknown option '-p'"],
  ['--pass=hunter2 plan', "unknown option '--pass'"],
])('%j is refused without repeating what may be a secret', async (args, said) => {
  const refused = await project.run(args);
  expectRefused(refused, said);
  expect(refused.stderr).not.toContain('ter2');
});

test('an error repeats no secret from a variable that stands for an argument', async () => {
  const refused = await project.run('doctor', { env: { TROVE_CATALOG: 'https://me:hunter2@host' } });
  expectRefused(refused, 'error: TROVE_CATALOG contains a URL with a password');
  expect(refused.stderr).not.toContain('hunter2');
});
