import { describe, expect, test } from 'vitest';
import { validate } from '../../generated/events.js';
import { expectRefused, type Finished, finished, unwrapped } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { appliedTeam, createTeam, createTeams } from '../rig/team.ts';

interface Event {
  readonly event: string;
  readonly environment: string;
  readonly [field: string]: unknown;
}

/** Every line, each of which is what the schema asks for. */
function eventsOf(stdout: string): readonly Event[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => {
      const event = JSON.parse(line) as Event;
      expect(validate(event), `${line}\n${JSON.stringify(validate.errors)}`).toBe(true);
      return event;
    });
}

const ofKind = (events: readonly Event[], kind: string) => events.filter(({ event }) => event === kind);

test('apply --format ndjson writes its plan, each change, the saved state and its end', async () => {
  await using team = await createTeam(smallCatalog);
  const { stdout, code } = await team.run('apply --yes --new-environment --format ndjson');
  const events = eventsOf(stdout);
  expect(code).toBe(0);
  expect(events.map(({ event }) => event)).toEqual([
    ...['planned', 'started', 'change', 'change', 'change', 'change', 'change', 'saved', 'finished'],
  ]);
  expect(ofKind(events, 'change').map(({ done }) => done)).toEqual([1, 2, 3, 4, 5]);
  expect(events.at(-1)).toMatchObject({ exitCode: 0, summary: { applied: 5, failed: 0 }, problems: [] });
  expect(stdout).not.toContain('s3cret');
});

test('refused, unknown, blocked and retired changes are events that show prints', async () => {
  await using team = await appliedTeam();
  await team.project.edit('catalog/game.yaml', 'dropRateMultiplier: 0.25', 'dropRateMultiplier: 0.5');
  await team.project.edit('catalog/game.yaml', 'name: Iron Sword', 'name: Steel Sword');
  await team.project.edit('catalog/game.yaml', 'name: Oak Bow', 'name: Elm Bow');
  await team.project.edit('catalog/game.yaml', '  torch:\n    name: Torch\n    rollNumerator: 100\n', '');
  await team.project.write(
    'catalog/more.yaml',
    'classifiers: { era: { name: Era, options: { old: { name: Old, dropRateMultiplier: 1 } } } }\n',
  );
  const refusal = { status: 400, body: '{"message":"no"}' };
  team.gateway.decide = ({ method, body }) => {
    if (method === 'POST') return 'cut-after';
    return body.name === 'Elm Bow' ? refusal : 'pass';
  };
  const { stdout, code } = await team.run('apply --yes --format ndjson');
  const changes = ofKind(eventsOf(stdout), 'change').map(({ address, result }) => `${address} ${result}`);
  expect(code).toBe(4);
  expect(changes.sort()).toEqual([
    'classifier.era unknown',
    'classifier.rarity blocked',
    'item.iron-sword applied',
    'item.oak-bow failed',
    'item.torch recorded',
  ]);
  expect(eventsOf(stdout).at(-1)).toMatchObject({ event: 'finished', exitCode: 4 });

  await team.project.write('events.ndjson', stdout);
  const shown = await team.run('show events.ndjson');
  expect(shown).toMatchObject({ code: 0, stderr: '' });
  expect(shown.stdout).toContain('Applied to staging: 1 updated, 1 retired, 1 failed, 1 unknown, 1 blocked.');
  expect(shown.stdout).toContain('trove resolve classifier.era -e staging --id ID');
});

test('each event names its environment, and show prints several environments in one table', async () => {
  await using teams = await createTeams(3, smallCatalog);
  await teams.project.write('catalog/environments/team-02.yaml', 'baseUrl: not a URL\n');
  const endsOf = (output: string) =>
    ofKind(eventsOf(output), 'finished').map(({ environment, exitCode, problems }) => {
      const [problem] = problems as readonly { readonly rule: string }[];
      return `${environment} ${exitCode} ${problem?.rule}`;
    });
  const refused = await teams.run('apply -e team-* --new-environment --format ndjson');
  expect([refused.code, endsOf(refused.stdout).sort()]).toEqual([
    1,
    ['team-01 1 not-confirmed', 'team-02 1 missing-property', 'team-03 1 not-confirmed'],
  ]);
  const { stdout, code } = await teams.run('apply -e team-* --yes --new-environment --format ndjson');
  expect([code, endsOf(stdout).sort()]).toEqual([
    1,
    ['team-01 0 undefined', 'team-02 1 missing-property', 'team-03 0 undefined'],
  ]);
  await teams.project.write('events.ndjson', stdout);
  const shown = await teams.run('show events.ndjson');
  expect(shown.stdout).toContain(
    'team-01      5 created\nteam-02      nothing was sent: 2 problems, see below\n',
  );
});

test.each([
  'apply',
  'apply --yes',
  'apply nowhere.json --yes',
  'apply --yes --target item.nowhere --new-environment',
])('%s writes an event with the reason why it sent nothing', async (args) => {
  await using team = await createTeam(smallCatalog);
  const command = `${args} --format ndjson`;
  const { stdout, stderr, code } = await team.run(command);
  const end = eventsOf(stdout).at(-1);
  expect([code, end?.event, end?.environment, end?.exitCode]).toEqual([1, 'finished', 'staging', 1]);
  const problems = end?.problems as readonly { readonly rule: string }[];
  expect(problems.map(({ rule }) => `[${rule}]`)).toEqual(stderr.match(/\[[a-z-]+\]/g));
});

test('apply writes renames as events, and show prints them as recorded', async () => {
  await using team = await appliedTeam();
  await team.project.edit('catalog/game.yaml', '  torch:', '  lamp:');
  await team.project.write('catalog/moved.yaml', 'moved: [{ from: item.torch, to: item.lamp }]\n');
  const { stdout } = await team.run('apply --yes --format ndjson');
  const moved = [{ from: 'item.torch', to: 'item.lamp' }];
  expect(ofKind(eventsOf(stdout), 'planned')).toMatchObject([{ moved, protections: [] }]);
  await team.project.write('events.ndjson', stdout);
  expect((await team.run('show events.ndjson')).stdout).toBe('Applied to staging: 1 renamed.\n');
});

test('show accepts truncated events and any line ends, and reports invalid events by line', async () => {
  await using team = await createTeam(smallCatalog);
  const { stdout: told } = await team.run('apply --yes --new-environment --format ndjson');
  const show = async (text: string) => {
    await team.project.write('events.ndjson', text);
    return team.run('show events.ndjson');
  };
  const shown = await show(`\ufeff${told.replaceAll('\n', '\r\n')}\r\n`);
  expect(shown).toMatchObject({ code: 0, stderr: '', stdout: 'Applied to staging: 5 created.\n' });
  const lines = told.split('\n');
  const some = await show(lines.slice(0, 4).join('\n'));
  expect(some.stdout).toContain('Unfinished apply to staging, so far: 2 created.');
  const none = await show(`${lines[0]}\n`);
  expect([none.stdout, none.stderr]).toEqual([
    expect.stringContaining('Unfinished apply'),
    expect.stringMatching(/./),
  ]);
  expectRefused(await show(told.trimEnd().replace('"finished"', '"ended"')), 'line 9');
  expectRefused(await show(told.replace('"event":"started"', '"event":"stopped"')), 'line 2');
  expectRefused(await show(told + told), 'line 10');
});

describe('an apply cut short', () => {
  const items = Array.from(
    { length: 30 },
    (_, at) => `  item-${at}: { name: Item ${at}, rollNumerator: 1 }\n`,
  );
  const many = { 'catalog/game.yaml': `items:\n${items.join('')}` };

  test('by Ctrl-C writes its end, and show prints the same counts', async () => {
    await using team = await createTeam(many);
    const args = 'apply --yes --new-environment --parallel 2 --format ndjson';
    const { stdout, code } = await team.endedAt(5, args, 'SIGINT');
    const end = eventsOf(stdout).at(-1);
    expect(code).toBe(130);
    expect(end).toMatchObject({ event: 'finished', exitCode: 130, halt: { kind: 'interrupted' } });
    const { applied, 'not-started': notStarted } = (end?.summary ?? {}) as Record<string, number>;
    await team.project.write('events.ndjson', stdout);
    const shown = unwrapped((await team.run('show events.ndjson')).stdout);
    expect(shown).toContain(`Applied to staging: ${applied} created, ${notStarted} not started.`);
  });

  test('by a second Ctrl-C writes no end, and show prints it as unfinished', async () => {
    await using team = await createTeam(many);
    const child = team.project.start('apply --yes --new-environment --parallel 2 --format ndjson', {
      env: team.env,
    });
    const gone = new Promise<'cut-before'>((done) => child.on('close', () => done('cut-before')));
    // Both slots are busy before it stops: with a free one, it would report what it does not start.
    team.gateway.decide = (_, at) => {
      if (at < 5) return 'pass';
      if (at === 6) child.kill('SIGINT');
      return gone;
    };
    child.stderr?.on('data', (text: Buffer) => {
      if (text.includes('Stopping')) child.kill('SIGINT');
    });
    const { stdout, code } = await finished(child);
    expect([code, ofKind(eventsOf(stdout), 'finished')]).toEqual([130, []]);
    await team.project.write('events.ndjson', stdout);
    const shown = await team.run('show events.ndjson');
    expect(shown.stdout).toMatch(/^Unfinished apply to staging, so far: \d created\.\n$/);
  });

  test('by a lock writes its end with exit code 5', async () => {
    await using team = await createTeam(many);
    let other: Finished | undefined;
    team.gateway.decide = async (_, at) => {
      if (at === 0) other = await team.run('apply --yes --format ndjson');
      return 'pass' as const;
    };
    expect((await team.run('apply --yes --new-environment')).code).toBe(0);
    expect(other).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('trove state unlock --force -e staging'),
    });
    expect(eventsOf(other?.stdout ?? '')).toMatchObject([
      { event: 'finished', exitCode: 5, summary: null, problems: [{ rule: 'locked' }] },
    ]);
  });
});

test('show prints no name from an event as a command of a shell or pipeline', async () => {
  await using team = await createTeam(smallCatalog);
  team.gateway.decide = ({ method }) => (method === 'POST' ? 'cut-after' : 'pass');
  const { stdout } = await team.run('apply --yes --new-environment --format ndjson');
  const name = '::error::x; touch owned';
  await team.project.write(
    'events.ndjson',
    stdout.replaceAll('"environment":"staging"', `"environment":"${name}"`),
  );
  const shown = await team.run('show events.ndjson');
  expect(unwrapped(shown.stdout)).toContain(`-e '${name}' --id ID`);
  await team.project.write(
    'cut.ndjson',
    `${stdout}${stdout.replaceAll('"environment":"staging"', `"environment":"${name}"`).split('\n')[0]}`,
  );
  const cut = await team.run('show cut.ndjson');
  expect(cut.stdout + cut.stderr).toContain(name);
  expect(cut.stdout + cut.stderr).not.toMatch(/^\s*(?:::|##\[)/m);
});
