// A large catalog, the same every time: 10 000 items in 100 files, two classifiers.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FILES = 100;
const ITEMS_IN_FILE = 100;
export const ITEMS = FILES * ITEMS_IN_FILE;

export async function writeCatalog(path) {
  await mkdir(path);
  await writeFile(
    join(path, 'classifiers.yaml'),
    `attributes:
  damage: { description: Damage per hit }
  speed: {}
classifiers:
  rarity:
    name: Rarity
    options:
      common: { name: Common, dropRateMultiplier: 1 }
      rare: { name: Rare, dropRateMultiplier: 0.25 }
  slot:
    name: Slot
    options:
      main-hand: { name: Main hand, dropRateMultiplier: 1 }
      off-hand: { name: Off hand, dropRateMultiplier: 1 }
`,
  );
  for (let file = 0; file < FILES; file++) {
    let text = '# yaml-language-server: $schema=../../schemas/catalog.schema.json\nitems:\n';
    for (let item = 0; item < ITEMS_IN_FILE; item++) text += itemText(file * ITEMS_IN_FILE + item);
    await writeFile(join(path, `items-${file}.yaml`), text);
  }
}

function itemText(number) {
  return `  iron-sword-${number}:
    name: Iron Sword ${number}
    rollNumerator: ${number % 97}
    thumbnail: https://cdn.example/items/iron-sword-${number}.png
    classifiers: { rarity: ${number % 3 ? 'common' : 'rare'}, slot: [main-hand, off-hand] }
    attributes:
      damage: { min: ${number % 10}, max: ${(number % 10) + 4} }
      speed: { min: 0.5, max: 1.25 }
`;
}
