import { describe, expect, test } from 'vitest';
import { readEnvironment } from '../../src/environment/load.ts';
import { withFindings } from '../../src/environment/with-findings.ts';
import { SourceText } from '../../src/text/source.ts';

const at = '2026-11-21T19:00:00.000Z';
const baseUrl = 'https://game.example/api';
const findings = {
  profile: { 'itemCreate.clientId': 'honoured', 'update.unknownId': 'rejected' },
  probed: { 'itemCreate.clientId': { at, baseUrl, value: 'honoured', request: 'POST /items {"id":"x"}' } },
} as const;
const base = 'baseUrl: https://game.example/api\nteamId: team_7\n';

/** What the new text is to a reader: the environment, and every comment that was there, in order. */
async function changed(text: string) {
  const after = withFindings(text, findings) ?? '';
  const read = await readEnvironment(new SourceText('x.yaml', after), { name: 'x', folder: '/', digest: '' });
  if (!read.ok) throw new Error(after);
  expect(read.value.profile).toMatchObject(findings.profile);
  expect(read.value.probed['itemCreate.clientId']).toEqual(findings.probed['itemCreate.clientId']);
  const comments = (source: string) => source.match(/#.*/g) ?? [];
  expect(comments(after).filter((comment) => comment !== '# written by trove probe')).toEqual(comments(text));
  expect(withFindings(after, findings)).toBe(after);
  return after;
}

const evidence = `probed: # written by trove probe
  itemCreate.clientId:
    at: ${at}
    baseUrl: ${baseUrl}
    value: honoured
    request: POST /items {"id":"x"}
`;

describe('findings in the text of an environment', () => {
  test('without a profile: two sections at the end', async () => {
    const profile = 'profile:\n  itemCreate.clientId: honoured\n  update.unknownId: rejected\n';
    expect(await changed(base)).toBe(`${base}\n${profile}\n${evidence}`);
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

${evidence}
# tail
`);
  });

  test('a profile between brackets stays there', async () => {
    const text = `${base}profile: { itemCreate.clientId: ignored } # why\n`;
    const edited = `${base}profile: { itemCreate.clientId: honoured, update.unknownId: rejected } # why\n`;
    expect(await changed(text)).toBe(`${edited}\n${evidence}`);
  });

  test.each([
    ['an empty profile', `${base}profile: {} # none\nlimits: {}\n`],
    ['no line break at the end', `${base}profile:\n  update.unknownId: created # x`],
    ['line breaks of Windows', `${base}profile:\n  update.unknownId: created # x\n`.replaceAll('\n', '\r\n')],
    ['brackets around everything', `# head\n{ baseUrl: https://game.example/api, teamId: team_7 } # tail\n`],
    ['an alias', `attributes: &a { }\nprofile: *a\n${base}# tail\n`],
    [
      'earlier evidence',
      `${base}probed: # mine\n  update.unknownId: { at: x, baseUrl: y, value: created } # a\n  itemCreate.clientId: # b\n    at: x\n    value: ignored # c\n# tail\n`,
    ],
    [
      'evidence between brackets',
      `${base}probed: { itemCreate.clientId: { at: x, value: ignored } } # c\n# tail\n`,
    ],
  ])('%s', async (_, text) => {
    expect(await changed(text)).toContain('teamId: team_7');
  });
});
