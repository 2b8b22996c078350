import { describe, expect, test } from 'vitest';
import { validate } from '../../generated/events.js';
import { type Finished, finished, unwrapped } from '../rig/project.ts';
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

test('an apply tells its plan, each change as it happens, the saved state and its end', async () => {
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

test('refusals, unknown outcomes, what is blocked and what is retired are events, and show tells them', async () => {
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

test('several environments: each line says whose it is, and show has one table', async () => {
  await using teams = await createTeams(3, smallCatalog);
  await teams.project.write('catalog/environments/team-02.yaml', 'baseUrl: not a URL\n');
  const { stdout, code } = await teams.run('apply -e team-* --yes --new-environment --format ndjson');
  expect(code).toBe(1);
  const ends = ofKind(eventsOf(stdout), 'finished').map(({ environment, exitCode }) => [
    environment,
    exitCode,
  ]);
  expect(ends.sort()).toEqual([
    ['team-01', 0],
    ['team-02', 1],
    ['team-03', 0],
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
])('%s tells why it sent nothing', async (args) => {
  await using team = await createTeam(smallCatalog);
  const command = `${args} --format ndjson`;
  const { stdout, stderr, code } = await team.run(command);
  const end = eventsOf(stdout).at(-1);
  expect([code, end?.event, end?.environment, end?.exitCode]).toEqual([1, 'finished', 'staging', 1]);
  const problems = end?.problems as readonly { readonly rule: string }[];
  expect(problems.map(({ rule }) => `[${rule}]`)).toEqual(stderr.match(/\[[a-z-]+\]/g));
});

test('several environments that nobody agreed to: each has its end, also the one without a plan', async () => {
  await using teams = await createTeams(3, smallCatalog);
  await teams.project.write('catalog/environments/team-02.yaml', 'baseUrl: not a URL\n');
  const { stdout, stderr, code } = await teams.run('apply -e team-* --new-environment --format ndjson');
  const events = eventsOf(stdout);
  expect([code, ofKind(events, 'planned').length]).toEqual([1, 2]);
  const rules = ofKind(events, 'finished').map(({ environment, problems }) => [
    environment,
    (problems as readonly { readonly rule: string }[])[0]?.rule,
  ]);
  expect(rules.sort()).toEqual([
    ['team-01', 'not-confirmed'],
    ['team-02', 'missing-property'],
    ['team-03', 'not-confirmed'],
  ]);
  expect(stderr).toContain('team-02.yaml:1:');
});

test('renames are told, and shown as recorded', async () => {
  await using team = await appliedTeam();
  await team.project.edit('catalog/game.yaml', '  torch:', '  lamp:');
  await team.project.write('catalog/moved.yaml', 'moved: [{ from: item.torch, to: item.lamp }]\n');
  const { stdout } = await team.run('apply --yes --format ndjson');
  const moved = [{ from: 'item.torch', to: 'item.lamp' }];
  expect(ofKind(eventsOf(stdout), 'planned')).toMatchObject([{ moved, protections: [] }]);
  await team.project.write('events.ndjson', stdout);
  expect((await team.run('show events.ndjson')).stdout).toBe('Applied to staging: 1 renamed.\n');
});

describe('a file of events', () => {
  async function applied() {
    const team = await createTeam(smallCatalog);
    const { stdout } = await team.run('apply --yes --new-environment --format ndjson');
    const show = async (text: string) => {
      await team.project.write('events.ndjson', text);
      return team.run('show events.ndjson');
    };
    return { stdout, show, [Symbol.asyncDispose]: () => team[Symbol.asyncDispose]() };
  }

  test('is read with a mark at its begin, the line ends of Windows and blank lines', async () => {
    await using run = await applied();
    const shown = await run.show(`\ufeff${run.stdout.replaceAll('\n', '\r\n')}\r\n`);
    expect(shown).toMatchObject({ code: 0, stderr: '', stdout: 'Applied to staging: 5 created.\n' });
    const lines = run.stdout.split('\n');
    const some = await run.show(lines.slice(0, 4).join('\n'));
    expect(some.stdout).toContain('Not finished in staging, so far: 2 created.');
    const none = await run.show(`${lines[0]}\n`);
    expect(none).toMatchObject({
      stdout: expect.stringContaining('Not finished'),
      stderr: expect.stringMatching(/./),
    });
    for (const [text, line] of [
      [run.stdout.trimEnd().replace('"finished"', '"ended"'), 'line 9'],
      [run.stdout.replace('"event":"started"', '"event":"stopped"'), 'line 2'],
      [run.stdout + run.stdout, 'line 10'],
    ] as const) {
      const refused = { code: 1, stdout: '', stderr: expect.stringContaining(line) };
      expect(await run.show(text)).toMatchObject(refused);
    }
  });
});

test('nothing of an event acts on a terminal', async () => {
  await using team = await createTeam(smallCatalog);
  const hostile = { status: 400, body: JSON.stringify({ message: 'no \u009b31m\u202e' }) };
  team.gateway.decide = () => hostile;
  const { stdout } = await team.run('apply --yes --new-environment --format ndjson');
  expect(JSON.stringify(eventsOf(stdout))).toContain('no ');
  expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
});

describe('an apply that is cut short', () => {
  const items = Array.from(
    { length: 30 },
    (_, at) => `  item-${at}: { name: Item ${at}, rollNumerator: 1 }\n`,
  );
  const many = { 'catalog/game.yaml': `items:\n${items.join('')}` };

  test('by Ctrl-C has its end, and is shown as it was told', async () => {
    await using team = await createTeam(many);
    const child = team.project.start('apply --yes --new-environment --parallel 2 --format ndjson', {
      env: team.env,
    });
    team.gateway.decide = (_, at) => {
      if (at === 5) child.kill('SIGINT');
      return 'pass';
    };
    const { stdout, code } = await finished(child);
    const end = eventsOf(stdout).at(-1);
    expect(code).toBe(130);
    expect(end).toMatchObject({ event: 'finished', exitCode: 130, halt: { kind: 'interrupted' } });
    const { applied, 'not-started': notStarted } = (end?.summary ?? {}) as Record<string, number>;
    await team.project.write('events.ndjson', stdout);
    const shown = unwrapped((await team.run('show events.ndjson')).stdout);
    expect(shown).toContain(`Applied to staging: ${applied} created, ${notStarted} not started.`);
  });

  test('by a second Ctrl-C has none, and is not shown as finished', async () => {
    await using team = await createTeam(many);
    const child = team.project.start('apply --yes --new-environment --parallel 2 --format ndjson', {
      env: team.env,
    });
    const gone = new Promise<'cut-before'>((done) => child.on('close', () => done('cut-before')));
    // Both places are taken before it stops: where one were free, it would tell what it does not start.
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
    expect(shown.stdout).toMatch(/^Not finished in staging, so far: \d created\.\n$/);
  });

  test('by an answer for another team tells so', async () => {
    await using team = await createTeam(many);
    team.gateway.decide = () => ({ rewrite: (answer) => ({ ...answer, teamId: 'team_8' }) });
    const { stdout, code } = await team.run('apply --yes --new-environment --format ndjson');
    const end = eventsOf(stdout).at(-1);
    expect(end).toMatchObject({ event: 'finished', exitCode: code, halt: { kind: 'wrong-team' } });
    expect(code).not.toBe(0);
  });

  test('by a lock has its end with exit code 5', async () => {
    await using team = await createTeam(many);
    let other: Finished | undefined;
    team.gateway.decide = async (_, at) => {
      if (at === 0) other = await team.run('apply --yes --format ndjson');
      return 'pass' as const;
    };
    expect((await team.run('apply --yes --new-environment')).code).toBe(0);
    expect(other).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('trove state unlock -e staging'),
    });
    expect(eventsOf(other?.stdout ?? '')).toMatchObject([
      { event: 'finished', exitCode: 5, summary: null, problems: [{ rule: 'locked' }] },
    ]);
  });
});

test('names from a file of events are no commands, neither to a shell nor to a pipeline', async () => {
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
