import { expect, test } from 'vitest';
import { validate } from '../../generated/events.js';
import { smallCatalog } from '../rig/small-catalog.ts';
import { createTeam } from '../rig/team.ts';
import { createTeams } from '../rig/teams.ts';

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
  await using team = await createTeam(smallCatalog);
  await team.run('apply --yes --new-environment');
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

  const cut = stdout.slice(0, stdout.lastIndexOf('{"event":"finished"') + 20);
  await team.project.write('cut.ndjson', cut);
  expect((await team.run('show cut.ndjson')).stderr).toContain(
    'staging: the file ends before the apply does',
  );
  await team.project.write('odd.ndjson', stdout.replace('"event":"started"', '"event":"stopped"'));
  const odd = await team.run('show odd.ndjson');
  expect(odd).toMatchObject({ code: 1, stderr: expect.stringContaining('line 2 is not an event') });
});

test('what ended before it began has an end too', async () => {
  await using team = await createTeam(smallCatalog);
  const { stdout, code } = await team.run('apply --yes --format ndjson');
  expect(code).toBe(1);
  expect(eventsOf(stdout)).toMatchObject([
    {
      event: 'finished',
      environment: 'staging',
      exitCode: 1,
      summary: null,
      problems: [{ rule: 'no-state' }],
    },
  ]);
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
