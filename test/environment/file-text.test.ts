import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addFindings, copyEnvironment } from '../../src/environment/file-text.ts';
import { readEnvironment } from '../../src/environment/load.ts';
import type { Environment, TeamSettings } from '../../src/environment/model.ts';
import { copyNotes, PROBED_NOTE } from '../../src/render/messages/environment-file.ts';
import { SourceText } from '../../src/text/source.ts';
import { rendered } from '../rig/in-words.ts';

const namespace = '11111111-2222-4333-8444-555555555555';
const settings = {
  name: 'new',
  service: {
    kind: 'remote',
    baseUrl: 'https://game.example/api',
    credentials: { usernameFrom: 'NEW_USERNAME', passwordFrom: 'NEW_PASSWORD' },
  },
  teamId: 'team_8',
} as const satisfies TeamSettings;
const elsewhere = {
  ...settings,
  service: { ...settings.service, baseUrl: 'https://other.example/api' },
} as const;

async function read(text: string, name: string): Promise<Environment> {
  const result = await readEnvironment(new SourceText('x.yaml', text), { name, folder: '/c', digest: '' });
  if (!result.ok) throw new Error(`${text}\n${rendered(result.diagnostics)}`);
  return result.value;
}

/** The copy, and that it shares nothing with the original that two teams must not share. */
async function copied(text: string, wanted: TeamSettings = settings): Promise<string> {
  const from = await read(text, 'old');
  const copy = copyEnvironment(text, from, wanted, namespace, copyNotes(from.name)) ?? '';
  const environment = await read(copy, 'new');
  expect(environment.teamId).toBe(wanted.teamId ?? 'team_local');
  expect(environment.state.path).not.toBe(from.state.path);
  expect(environment.idNamespace).not.toBe(from.idNamespace);
  if (wanted.service.kind === 'embedded') expect(environment.service).toEqual({ kind: 'embedded' });
  else {
    expect(environment.service).toEqual({ kind: 'remote', baseUrl: wanted.service.baseUrl });
    expect(environment.credentials).toEqual(wanted.service.credentials);
    expect(environment.userId).toBe(wanted.userId);
  }
  expect(environment.attributes).toEqual(from.attributes);
  return copy;
}

const evidence = `profile:
  # Told by the people who run it.
  itemCreate.clientId: honoured
probed: # written by trove probe
  itemCreate.clientId:
    at: 2026-11-21T19:00:00.000Z
    baseUrl: https://game.example/api
    value: honoured
`;

describe('the copy of an environment for another team', () => {
  test('keeps comments and order, and changes what is of one team', async () => {
    const text = `# Ours.
baseUrl: "https://game.example/api" # the one
teamId: team_7 # guard
userId: user_7 # reads first
idNamespace: 3d0f7c52-8b1e-4f6a-9c47-5e2a6b9d1f08 # fixed

credentials: { usernameFrom: OLD_USERNAME } # names
attributes:
  damage: attr_01 # per hit
state: { path: state/old.json }
${evidence}limits: { maxCreates: 5 } # few
`;
    expect(await copied(text)).toBe(`# Ours.
baseUrl: "https://game.example/api" # the one
teamId: team_8 # guard
# A new one: with that of old, items of both teams would get the same IDs.
idNamespace: ${namespace} # fixed

credentials: { usernameFrom: NEW_USERNAME, passwordFrom: NEW_PASSWORD } # names
# Copied from old: IDs of its team. Check each one.
attributes:
  damage: attr_01 # per hit
state: { path: state/new.json }
${evidence}limits: { maxCreates: 5 } # few
`);
  });

  test('for another service, what is known of this one is gone, with its evidence', async () => {
    const text = `baseUrl: https://game.example/api\nteamId: team_7\n${evidence}limits: { maxCreates: 5 }\n`;
    const copy = await copied(text, { ...elsewhere, userId: 'user_8' });
    expect(copy).toContain('teamId: team_8\nuserId: user_8\n');
    expect(copy).toMatch(/PASSWORD\nlimits: { maxCreates: 5 }\n$/);
    expect(copy).not.toMatch(/profile|probed/);
  });

  test('between a service and the embedded one', async () => {
    const remote = `baseUrl: https://game.example/api\nteamId: team_7\n`;
    const embedded = { name: 'new', service: { kind: 'embedded' } } as const;
    expect(await copied(remote, embedded)).toBe('service: embedded\n');
    expect(await copied('service: embedded # mine\nlimits: { maxCreates: 5 }\n')).toContain(
      'PASSWORD\nlimits: { maxCreates: 5 }\n',
    );
  });

  test.each([
    ['brackets', '{ baseUrl: https://game.example/api, teamId: team_7 } # all\n'],
    ['an anchor', 'baseUrl: https://game.example/api\nteamId: &team team_7\nuserId: *team\n'],
    ['a folded text', 'baseUrl: >-\n  https://game.example/api\nteamId: |-\n  team_7\nlimits: {}\n'],
    ['Windows', 'baseUrl: https://game.example/api # x\r\nteamId: team_7\r\nuserId: user_7\r\n'],
    ['a list of its own', 'baseUrl: https://game.example/api\nteamId: team_7\nstate:\n  path: state/a.json'],
    ['a document mark', '---\nbaseUrl: https://game.example/api\nteamId: team_7\n...\n'],
  ])('of a file with %s', async (_, text) => {
    const comments = (source: string) => source.match(/# \w+/g) ?? [];
    expect(comments(await copied(text))).toEqual(expect.arrayContaining(comments(text)));
  });

  test('is refused where an anchor would go that is needed', async () => {
    const text =
      'baseUrl: https://game.example/api\nuserId: &who user_7\nteamId: team_7\nattributes: { damage: *who }\n';
    const copy = copyEnvironment(text, await read(text, 'old'), settings, namespace, copyNotes('old'));
    expect(copy).toBeUndefined();
  });

  test('shares nothing with the original, however that is written', async () => {
    const maybe = (...lines: readonly string[]) => fc.constantFrom('', ...lines);
    const part = fc.tuple(
      maybe('userId: user_7\n'),
      maybe('idNamespace: 3d0f7c52-8b1e-4f6a-9c47-5e2a6b9d1f08\n'),
      maybe('credentials:\n  usernameFrom: A\n', 'credentials: {}\n', 'credentials: { passwordFrom: P }\n'),
      maybe('state:\n  path: state/shared.json\n', 'state: { backend: file, path: "state/x.json" }\n'),
      maybe('attributes: { damage: attr_01 }\n'),
      maybe(evidence),
    );
    const parts = part.chain((lines) =>
      fc.shuffledSubarray(['baseUrl: https://game.example/api\n', 'teamId: team_7\n', ...lines], {
        minLength: 2 + lines.length,
      }),
    );
    const comments = fc.array(maybe('# about what follows\n'), { minLength: 8, maxLength: 8 });
    const text = fc.tuple(parts, comments).map(([lines, notes]) => {
      const noted = (line: string) => line && !/^(?:userId|profile)/.test(line);
      return lines.map((line, at) => (noted(line) ? `${notes[at]}${line}` : line)).join('');
    });
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom(settings, elsewhere), async (original, wanted) => {
        const copy = await copied(original, wanted);
        expect(copy).not.toMatch(/user_7|team_7|shared/);
        expect(copy.includes('probed:')).toBe(original.includes('probed:') && wanted === settings);
        const count = (source: string) => source.split('# about what follows').length;
        expect(count(copy)).toBe(count(original));
      }),
    );
  });
});

const at = '2026-11-21T19:00:00.000Z';
const baseUrl = 'https://game.example/api';
const findings = {
  profile: { 'itemCreate.clientId': 'honoured', 'update.unknownId': 'rejected' },
  probed: { 'itemCreate.clientId': { at, baseUrl, value: 'honoured', request: 'POST /items {"id":"x"}' } },
} as const;
const base = 'baseUrl: https://game.example/api\nteamId: team_7\n';

/** What the new text is to a reader: the environment, and every comment that was there, in order. */
async function changed(text: string) {
  const after = addFindings(text, findings, PROBED_NOTE) ?? '';
  const { profile, probed } = await read(after, 'x');
  expect(profile).toMatchObject(findings.profile);
  expect(probed['itemCreate.clientId']).toEqual(findings.probed['itemCreate.clientId']);
  const comments = (source: string) => source.match(/#.*/g) ?? [];
  expect(comments(after).filter((comment) => comment !== '# written by trove probe')).toEqual(comments(text));
  expect(addFindings(after, findings, PROBED_NOTE)).toBe(after);
  return after;
}

const writtenEvidence = `probed: # written by trove probe
  itemCreate.clientId:
    at: ${at}
    baseUrl: ${baseUrl}
    value: honoured
    request: POST /items {"id":"x"}
`;

const earlierEvidence = `  update.unknownId: { at: x, baseUrl: y, value: created } # a
  itemCreate.clientId: # b
    at: x
    value: ignored # c
`;

describe('findings in the text of an environment', () => {
  test('without a profile: two sections at the end', async () => {
    const profile = 'profile:\n  itemCreate.clientId: honoured\n  update.unknownId: rejected\n';
    expect(await changed(base)).toBe(`${base}\n${profile}\n${writtenEvidence}`);
  });

  test('everything else stays as it is: comments, order, quotes', async () => {
    const text = `# head
teamId:   "team_7"   # aligned   comment


profile:   # why
    # inner
    itemCreate.clientId:   'ignored'   # last
    # behind
# before attributes
attributes:   { damage: attr_1,   speed: attr_2 } # flow
baseUrl: https://game.example/api
# tail
`;
    expect(await changed(text)).toBe(`# head
teamId: "team_7" # aligned   comment

profile: # why
  # inner
  itemCreate.clientId: honoured # last
  update.unknownId: rejected
  # behind
# before attributes
attributes: { damage: attr_1, speed: attr_2 } # flow
baseUrl: https://game.example/api

${writtenEvidence}
# tail
`);
  });

  test('a profile between brackets stays there', async () => {
    const text = `${base}profile: { itemCreate.clientId: ignored } # why\n`;
    const edited = `${base}profile: { itemCreate.clientId: honoured, update.unknownId: rejected } # why\n`;
    expect(await changed(text)).toBe(`${edited}\n${writtenEvidence}`);
  });

  test.each([
    ['an empty profile', `${base}profile: {} # none\nlimits: {}\n`],
    ['no line break at the end', `${base}profile:\n  update.unknownId: created # x`],
    ['line breaks of Windows', `${base}profile:\n  update.unknownId: created # x\n`.replaceAll('\n', '\r\n')],
    ['brackets around everything', `# head\n{ baseUrl: https://game.example/api, teamId: team_7 } # tail\n`],
    ['an alias', `attributes: &a { }\nprofile: *a\n${base}# tail\n`],
    ['earlier evidence', `${base}probed: # mine\n${earlierEvidence}# tail\n`],
    ['evidence between brackets', `${base}probed: { itemCreate.clientId: { at: x } } # c\n# tail\n`],
  ])('%s', async (_, text) => {
    expect(await changed(text)).toContain('teamId: team_7');
  });
});
