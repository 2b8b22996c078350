// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of catalogs
import { describe, expect, test } from 'vitest';
import { problemsIn } from '../catalog/folder.ts';
import { createProject, unwrapped } from '../rig/project.ts';
import { createTeam } from '../rig/team.ts';

const remote =
  'baseUrl: https://game.example/api\nteamId: team_7\ncredentials: { passwordFrom: STAGING_PASSWORD }\n';

/** A catalog whose items, in order, have these thumbnails, written as YAML. */
function catalogWith(...thumbnails: readonly string[]): string {
  const items = thumbnails.map(
    (thumbnail, at) => `  item-${at}: { name: Item ${at}, rollNumerator: 1, thumbnail: ${thumbnail} }`,
  );
  return `items:\n${items.join('\n')}\n`;
}

async function said(
  args: string,
  catalog: string,
  env: Readonly<Record<string, string>> = {},
  lines = '',
  service = remote,
) {
  const files = { 'catalog/game.yaml': catalog, 'catalog/environments/staging.yaml': `${service}${lines}` };
  await using project = await createProject(files);
  const { code, stdout, stderr } = await project.run(args, { env });
  expect(code).toBe(stderr === '' ? 0 : 1);
  return { stdout, stderr };
}

describe('a placeholder', () => {
  test('without an end or a valid name is reported, even in an override', async () => {
    const thumbnails = [
      '"https://${TROVE_VAR_CDN_HOST/a.png"',
      '"${}"',
      '"${CDN-HOST}/${2ND}/${TROVE_VAR_ok}"',
    ];
    const catalog = catalogWith(...thumbnails, '"$${"', '"${TROVE_VAR_OK}"', '"$$${X"');
    expect(problemsIn((await said('validate', catalog)).stderr)).toEqual([
      'game.yaml:2:65 placeholder ${TROVE_VAR_CDN_HOST/a.png } $${ ${',
      'game.yaml:3:57 placeholder ${} $${ ${',
      'game.yaml:4:57 placeholder ${CDN-HOST} $${ ${',
      'game.yaml:4:69 placeholder ${2ND} $${ ${',
    ]);
    const override = 'overrides: { items: { item-0: { thumbnail: "https://${CDN HOST}" } } }\n';
    expect(problemsIn((await said('validate', catalogWith('x'), {}, override)).stderr)).toEqual([
      'staging.yaml:4:53 placeholder ${CDN HOST} $${ ${',
    ]);
  });

  test('needs no variable in validate, and is just text outside thumbnails', async () => {
    const catalog = catalogWith('"${TROVE_VAR_CDN_HOST}/a.png"').replace('Item 0', '"A ${ B"');
    expect((await said('validate', catalog)).stderr).toBe('');
  });
});

describe('a variable', () => {
  test('that is unset or empty is reported once, with its first place', async () => {
    const twice = '"${TROVE_VAR_CDN_HOST}/${TROVE_VAR_EMPTY}.png"';
    const catalog = catalogWith('"${TROVE_VAR_CDN_HOST}/a.png"', twice);
    const { stderr } = await said('plan -e staging', catalog, { TROVE_VAR_EMPTY: '' });
    expect(problemsIn(stderr)).toEqual([
      'game.yaml:2:57 unset-variable TROVE_VAR_CDN_HOST',
      'game.yaml:3:79 unset-variable TROVE_VAR_EMPTY',
    ]);
  });

  test('without the prefix TROVE_VAR_ is refused everywhere, and never shown', async () => {
    const thumbnails = ['"${DEPLOY_TOKEN}"', '"${trove_var_cdn}"', '"${TROVE_VAR_}"', '"${toString}"'];
    const catalog = catalogWith(...thumbnails);
    const env = { DEPLOY_TOKEN: 'hunter2', trove_var_cdn: 'hunter2', TROVE_VAR_: 'hunter2' };
    const { stderr } = await said('validate', catalog, env);
    expect(problemsIn(stderr)).toEqual([
      'game.yaml:2:57 variable-name DEPLOY_TOKEN ${TROVE_VAR_DEPLOY_TOKEN}',
      'game.yaml:3:57 variable-name trove_var_cdn ${TROVE_VAR_cdn}',
      'game.yaml:4:57 variable-name TROVE_VAR_ ${TROVE_VAR_NAME}',
      'game.yaml:5:57 variable-name toString ${TROVE_VAR_toString}',
    ]);
    const planned = await said('plan --format json', catalog, env);
    expect(stderr).toContain(planned.stderr);
    expect(planned.stdout + planned.stderr).not.toContain('hunter2');
    const override = 'overrides: { items: { item-0: { thumbnail: "${DEPLOY_TOKEN}" } } }\n';
    const overridden = await said('plan -e staging', catalogWith('x'), env, override);
    expect(overridden.stderr).toContain('catalog/environments/staging.yaml:4:');
    expect(overridden.stderr).not.toContain('hunter2');
  });

  test('with the prefix TROVE_VAR_ cannot provide credentials', async () => {
    const user = 'credentials: { usernameFrom: TROVE_VAR_U, passwordFrom: TROVE_VAR_P }\n';
    const { stderr } = await said('validate', catalogWith('x'), {}, user, 'service: embedded\n');
    expect(problemsIn(stderr)).toEqual([
      'staging.yaml:2:30 credential-variable usernameFrom',
      'staging.yaml:2:57 credential-variable passwordFrom',
    ]);
  });

  test('with a placeholder or a control character is refused, and not shown', async () => {
    const catalog = catalogWith('"${TROVE_VAR_A}"', '"${TROVE_VAR_B}"');
    const { stderr } = await said('plan', catalog, {
      TROVE_VAR_A: 'https://${CDN}/hunter2',
      TROVE_VAR_B: 'hunter2\n',
    });
    expect(problemsIn(stderr)).toEqual([
      'game.yaml:2:57 unusable-variable TROVE_VAR_A ${',
      'game.yaml:3:57 unusable-variable TROVE_VAR_B',
    ]);
    expect(stderr).not.toContain('hunter2');
  });

  test('counts toward the length of a text only once it is filled in', async () => {
    const name = `TROVE_VAR_${'X'.repeat(200)}`;
    const catalog = catalogWith(`"\${${name}}"`, '"${TROVE_VAR_A}/x"', `"$\${${'x'.repeat(189)}"`);
    const env = { [name]: 'short', TROVE_VAR_A: 'a'.repeat(189) };
    expect((await said('plan', catalog, env)).stderr).toBe('');
    const long = await said('plan', catalog, { ...env, TROVE_VAR_A: 'a'.repeat(190) });
    expect(problemsIn(long.stderr)).toEqual(['game.yaml:3:56 text-length thumbnail']);
    const escaped = catalogWith(`"$\${${'x'.repeat(190)}"`);
    expect((await said('validate', escaped)).stderr).toContain('`thumbnail` has 192 characters');
  });
});

describe('a value that is filled in', () => {
  const files = {
    'catalog/game.yaml': catalogWith(
      '"https://${TROVE_VAR_CDN_HOST}/$${x}.png"',
      '"${TROVE_VAR_A}${TROVE_VAR_B}"',
    ),
  };
  const env = { TROVE_VAR_CDN_HOST: 'cdn.example', TROVE_VAR_A: 'a', TROVE_VAR_B: 'b' };
  const override =
    'overrides: { items: { item-1: { thumbnail: "https://${TROVE_VAR_CDN_HOST}/team.png" } } }\n';

  test('is shown in the plan and sent, even from an override', async () => {
    await using team = await createTeam(files, override);
    const { changes } = JSON.parse((await team.run('plan --format json', { env })).stdout);
    const sent = changes.flatMap(({ requests }: { requests: { body: unknown }[] }) => requests);
    const thumbnails = ['https://cdn.example/${x}.png', 'https://cdn.example/team.png'];
    expect(sent.map(({ body }: { body: { thumbnail: string } }) => body.thumbnail)).toEqual(thumbnails);
    expect(await team.run('apply --yes --new-environment', { env })).toMatchObject({ code: 0 });
    expect(team.gateway.exchanges.map(({ body }) => body.thumbnail).sort()).toEqual(thumbnails);
    const moved = await team.run('plan', { env: { ...env, TROVE_VAR_CDN_HOST: 'cdn2.example' } });
    expect(unwrapped(moved.stdout)).toContain(
      '"https://cdn.example/team.png" -> "https://cdn2.example/team.png"',
    );
  });

  test('makes a saved plan stale when it changes', async () => {
    await using team = await createTeam(files, override);
    expect(await team.run('plan --out plan.json', { env })).toMatchObject({ code: 0 });
    const other = { env: { ...env, TROVE_VAR_CDN_HOST: 'other.example' } };
    const refused = await team.run('apply plan.json --new-environment', other);
    expect([refused.code, unwrapped(refused.stderr)]).toEqual([
      1,
      expect.stringContaining('a variable that the catalog uses has changed'),
    ]);
    expect(team.gateway.exchanges).toEqual([]);
    expect(await team.run('apply plan.json --new-environment', { env })).toMatchObject({ code: 0 });
  });

  test('is reported by doctor if it is missing, but not by state list', async () => {
    await using team = await createTeam(files);
    const doctor = await team.run('doctor');
    expect(unwrapped(doctor.stdout)).toContain('the variable `TROVE_VAR_CDN_HOST` is not set');
    expect(unwrapped(doctor.stdout)).toContain('to see them all: trove plan -e staging');
    expect(await team.run('state list')).not.toMatchObject({ stderr: expect.stringContaining('CDN_HOST') });
  });
});
