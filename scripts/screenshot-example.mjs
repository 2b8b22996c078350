/** A team of the embedded service, with the user to sign in as. */
export const world = (user) => ({
  teams: [{ id: 'team_7', name: 'Emberfall Armourers' }],
  users: [
    { id: 'user_1', ...user, teamId: 'team_7' },
    { id: 'user_2', username: 'artist', password: 'not-needed-here', teamId: 'team_7' },
  ],
  spaces: [
    space('armoury', 'Armoury', 12, 8, ['user_1', 'user_2']),
    space('vault', 'Guild Vault', 24, 16, []),
    space('belt', 'Quick Belt', 8, 1, ['user_1']),
    space('stash', "Traveller's Stash", 6, 10, ['user_1']),
  ],
  attributes: [
    'Damage',
    'Attack speed',
    'Critical chance',
    'Armour',
    'Ward',
    'Health',
    'Mana',
    'Healing',
    'Movement speed',
    'Durability',
  ].map((name, at) => ({ id: `attr_${String(at + 1).padStart(2, '0')}`, name, teamId: 'team_7' })),
});

function space(key, name, cols, rows, users) {
  return { id: `space_${key}`, name, cols, rows, teamId: 'team_7', users };
}

/** A file of the catalog with what the plan creates. */
export const relics = `items:
  lighthouse-lens:
    name: Lens of the Drowned Lighthouse
    rollNumerator: 8
    thumbnail: https://cdn.example/relics/lighthouse-lens.png
    classifiers: { rarity: epic, slot: off-hand, element: light, biome: salt-coast, tier: tier-4, source: boss }
    attributes: { mana: { min: 30, max: 45 }, ward: { min: 8, max: 12 } }
  gravel-heart:
    name: Gravel Heart
    rollNumerator: 14
    classifiers: { rarity: rare, slot: neck, element: earth, biome: high-peaks, tier: tier-3, source: chest }
    attributes: { armour: { min: 6, max: 9 } }
  cinder-quill:
    name: Cinder Quill
    rollNumerator: 22
    classifiers: { rarity: rare, slot: main-hand, element: fire, biome: ember-wastes, tier: tier-3, source: chest }
    attributes: { damage: { min: 2, max: 11 }, mana: { min: 10, max: 20 } }
`;
