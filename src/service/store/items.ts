import type { Database } from 'libsql';
import type { WireItem } from '../../contract/wire.ts';
import { openItemLists, type StoredRange } from './item-lists.ts';
import { written } from './written.ts';

/** The table of items, with their assignments and attribute ranges. */
export function openItems(db: Database): Items {
  const lists = openItemLists(db);
  const selectId = db.prepare<[string]>('SELECT 1 FROM items WHERE id = ?');
  const select = db.prepare<[string, string]>(
    `SELECT name, thumbnail, roll_numerator rollNumerator, created_at createdAt, updated_at updatedAt
     FROM items WHERE id = ? AND team_id = ?`,
  );
  const insert = db.prepare<[string, string, string, string | null, number, string, string | null]>(
    `INSERT INTO items (id, team_id, name, thumbnail, roll_numerator, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = db.prepare<[string, string | null, number, string | null, string]>(
    'UPDATE items SET name = ?, thumbnail = ?, roll_numerator = ?, updated_at = ? WHERE id = ?',
  );
  const find = (teamId: string, id: string): WireItem | undefined => {
    const row = select.get(id, teamId) as ItemColumns | undefined;
    if (row === undefined) return undefined;
    const { name, thumbnail, rollNumerator, createdAt, updatedAt } = row;
    return { id, name, thumbnail, rollNumerator, createdAt, updatedAt, teamId, ...lists.read(id) };
  };
  return {
    exists: (id) => selectId.get(id) !== undefined,
    find,
    insert(item) {
      const { id, teamId, name, thumbnail, rollNumerator, createdAt, updatedAt } = item;
      insert.run(id, teamId, name, thumbnail, rollNumerator, createdAt, updatedAt);
      lists.addOptions(id, item.optionIds);
      lists.addAttributes(id, item.attributes);
      return written(find(teamId, id));
    },
    update(item) {
      update.run(item.name, item.thumbnail, item.rollNumerator, item.updatedAt, item.id);
      if (item.optionIds !== undefined) {
        lists.removeOptions(item.id);
        lists.addOptions(item.id, item.optionIds);
      }
      lists.removeAttributes(item.id);
      lists.addAttributes(item.id, item.attributes);
      return written(find(item.teamId, item.id));
    },
  };
}

export interface Items {
  /** Whether any team has an item with this id. */
  exists(id: string): boolean;
  find(teamId: string, id: string): WireItem | undefined;
  /** Gives the item as it is stored now, as does `update`. */
  insert(item: NewItem): WireItem;
  /** Omitted `optionIds` leave the assignments as they are. The item must exist. */
  update(item: ChangedItem): WireItem;
}

type ItemColumns = Omit<WireItem, 'id' | 'teamId' | 'classifiers' | 'attributes'>;

export interface NewItem extends Omit<WireItem, 'classifiers' | 'attributes'> {
  readonly optionIds: readonly string[];
  readonly attributes: readonly StoredRange[];
}

export interface ChangedItem extends Omit<NewItem, 'createdAt' | 'optionIds'> {
  readonly optionIds: readonly string[] | undefined;
}
