import { join } from 'node:path';
import Database from 'libsql';
import { database, send } from './serve-child.ts';

/** The responses of the service for each item, by its name. */
export class Answered {
  readonly items = new Map<string, Told>();
  /** Names of which each was sent once, and no more. */
  readonly #sent = new Set<string>();

  /** Creates an item with an ID from the service and writes it once more. Returns whether both were confirmed. */
  async write(url: string, name: string): Promise<boolean> {
    if (this.#sent.has(name)) throw new Error(`${name} was sent before`);
    this.#sent.add(name);
    const body = { name, rollNumerator: 1, classifierOptionIds: [], itemAttributes: [range] };
    const created = await send(url, 'POST', '/items', body);
    if (created?.id === undefined) return false;
    const { id } = created;
    this.items.set(name, { id, rollNumerator: 1 });
    const update = { name, rollNumerator: 2, attributes: [range, { ...range, attributeId: 'speed' }] };
    const updated = await send(url, 'PUT', `/items/${id}`, update);
    if (updated?.id === undefined) return false;
    this.items.set(name, { id, rollNumerator: 2 });
    return true;
  }

  /**
   * Opens the database while nothing else has it, and names everything in it that differs from the responses: an item
   * that is missing, older than its response or there twice, half a write, a damaged file. An item without a response
   * may be there. `promised` are the responses to compare with, by default all.
   */
  contradictions(folder: string, promised: ReadonlyMap<string, Told> = this.items): readonly string[] {
    const db = new Database(join(folder, database));
    try {
      const rows = db.prepare(storedItems).all() as StoredItem[];
      return [...this.#unlike(rows, promised), ...damage(db)];
    } finally {
      db.close();
    }
  }

  #unlike(rows: readonly StoredItem[], promised: ReadonlyMap<string, Told>): readonly string[] {
    const stored = new Map(rows.map((row) => [row.name, row]));
    const lost = [...promised].filter(([name, { id, rollNumerator }]) => {
      const row = stored.get(name);
      return row?.id !== id || row.rollNumerator < rollNumerator;
    });
    const odd = rows.filter(
      ({ name, rollNumerator, ranges }) => !this.#sent.has(name) || ranges !== rollNumerator,
    );
    const twice = rows.length === stored.size ? [] : [`${rows.length} items have ${stored.size} names`];
    return [
      ...lost.map(([name]) => `${name} is not as it was answered`),
      ...odd.map(({ name }) => `${name} is half a write`),
      ...twice,
    ];
  }
}

function damage(db: Database.Database): readonly string[] {
  const found = ['integrity_check', 'foreign_key_check'].flatMap((pragma) =>
    db.prepare(`PRAGMA ${pragma}`).raw().all(),
  );
  return found.map(String).filter((line) => line !== 'ok');
}

const range = { attributeId: 'damage', min: 1, max: 2 };
// An item is written with as many attribute ranges as its roll numerator.
const storedItems = `SELECT id, name, roll_numerator rollNumerator,
  (SELECT count(*) FROM item_attributes WHERE item_id = items.id) ranges FROM items`;

/** The ID of an item, and the highest roll numerator that was confirmed for it. */
export interface Told {
  readonly id: string;
  readonly rollNumerator: number;
}

interface StoredItem {
  readonly id: string;
  readonly name: string;
  readonly rollNumerator: number;
  readonly ranges: number;
}
