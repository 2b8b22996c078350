import { describe, expect, test } from 'vitest';
import { type Profile, unknownProfile } from '../../src/contract/profile.ts';
import { coveringDialects, truthOf } from '../rig/dialects.ts';
import { isRefereed } from '../rig/gateway.ts';
import { createTeam } from '../rig/team.ts';

const versions = [
  `classifiers:
  rarity:
    name: Rarity
    options:
      common: { name: Common, dropRateMultiplier: 1 }
      rare: { name: Rare, dropRateMultiplier: 0.25 }
attributes: { damage: {}, speed: {} }
items:
  sword:
    name: Sword
    rollNumerator: 40
    thumbnail: https://cdn.example/sword.png
    classifiers: { rarity: common }
    attributes: { damage: { min: 3, max: 7 }, speed: { min: 1, max: 2 } }
  bow: { name: Bow, rollNumerator: 12.345 }
`,
  `classifiers:
  rarity:
    name: Rarities
    options:
      common: { name: Common, dropRateMultiplier: 2 }
      rare: { name: Rare, dropRateMultiplier: 0.25 }
      epic: { name: Epic, dropRateMultiplier: 0.005 }
attributes: { damage: {}, speed: {} }
items:
  sword:
    name: Long Sword
    rollNumerator: 41
    thumbnail: null
    classifiers: { rarity: rare }
    attributes: { damage: { min: 4, max: 9 } }
  torch: { name: Torch, rollNumerator: 1, classifiers: { rarity: [common] } }
`,
];

/** Only a profile makes Trove send `thumbnail: null`, which section 4.2 does not have: a referee rightly objects. */
const documented: Partial<Profile> = isRefereed ? { 'itemUpdate.clearThumbnail': 'unsupported' } : {};

const settings = (profile: Profile) =>
  `attributes: { damage: attr_1, speed: attr_2 }\nprofile: ${JSON.stringify(profile)}\n`;

describe.each(coveringDialects.map((dialect, nth) => [nth, dialect] as const))('dialect %s', (_, dialect) => {
  test.each([
    ['what is true', { ...truthOf(dialect), ...documented }],
    ['nothing', unknownProfile],
  ])('with %s in the profile, an edit is applied once, and what remains is said', async (_, profile) => {
    await using team = await createTeam({}, settings(profile), dialect);
    for (const version of versions) {
      await team.project.write('catalog/game.yaml', version);
      const applied = await team.run('apply --yes --new-environment');
      expect(applied, applied.stderr + applied.stdout).toMatchObject({ code: expect.toBeOneOf([0, 3]) });
      const sent = team.gateway.count('POST', 'PUT');
      const again = await team.run('apply --yes');
      expect(again, again.stderr + again.stdout).toMatchObject({ code: applied.code });
      expect(team.gateway.count('POST', 'PUT')).toBe(sent);
    }
    const { live, retired } = await team.recorded();
    const known = [...Object.values(live), ...retired].map(({ id }) => id);
    const entries = team.service.ledger();
    expect(entries.map(({ id }) => id).sort()).toEqual(known.sort());
    expect(entries.map(({ createdTimes }) => createdTimes)).toEqual(entries.map(() => 1));
  });
});
