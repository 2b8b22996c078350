/** Two classifiers and three items: the smallest catalog in which everything can refer to something. */
export const smallCatalog = {
  'catalog/game.yaml': `classifiers:
  rarity:
    name: Rarity
    options:
      common: { name: Common, dropRateMultiplier: 1 }
      rare: { name: Rare, dropRateMultiplier: 0.25 }
  slot:
    name: Slot
    options:
      main-hand: { name: Main Hand, dropRateMultiplier: 1 }
      off-hand: { name: Off Hand, dropRateMultiplier: 1 }
items:
  iron-sword:
    name: Iron Sword
    rollNumerator: 40
    thumbnail: https://cdn.example/iron-sword.png
    classifiers: { rarity: common, slot: [main-hand, off-hand] }
  oak-bow:
    name: Oak Bow
    rollNumerator: 12.5
    classifiers: { rarity: rare }
  torch:
    name: Torch
    rollNumerator: 100
`,
};
