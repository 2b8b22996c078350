import type { Database } from 'libsql';
import type { WireItem } from '../../contract/wire.ts';
import { openItemLists, type StoredRange } from './item-lists.ts';
import { written } from './written.ts';

/** The table of items, with their assignments and attribute ranges. Every statement is within one team. */
export function openItems(db: Database): Items {
  const lists = openItemLists(db);
  const select = db.prepare<[string, string]>(
    `SELECT name, thumbnail, roll_numerator rollNumerator, created_at createdAt, updated_at updatedAt
     FROM items WHERE team_id = ? AND id = ?`,
  );
  const insert = db.prepare<[string, string, string, string | null, number, string, string | null]>(
    `INSERT INTO items (team_id, id, name, thumbnail, roll_numerator, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = db.prepare<[string, string | null, number, string | null, string, string]>(
    'UPDATE items SET name = ?, thumbnail = ?, roll_numerator = ?, updated_at = ? WHERE team_id = ? AND id = ?',
  );
  const remove = db.prepare<[string, string]>('DELETE FROM items WHERE team_id = ? AND id = ?');
  const find = (teamId: string, id: string): WireItem | undefined => {
    const row = select.get(teamId, id) as ItemColumns | undefined;
    if (row === undefined) return undefined;
    const { name, thumbnail, rollNumerator, createdAt, updatedAt } = row;
    return { id, name, thumbnail, rollNumerator, createdAt, updatedAt, teamId, ...lists.read(teamId, id) };
  };
  return {
    find,
    insert(item) {
      const { id, teamId, name, thumbnail, rollNumerator, createdAt, updatedAt } = item;
      insert.run(teamId, id, name, thumbnail, rollNumerator, createdAt, updatedAt);
      lists.addOptions(teamId, id, item.optionIds);
      lists.addAttributes(teamId, id, item.attributes);
      return written(find(teamId, id));
    },
    update(item) {
      const { id, teamId, name, thumbnail, rollNumerator, updatedAt } = item;
      update.run(name, thumbnail, rollNumerator, updatedAt, teamId, id);
      if (item.optionIds !== undefined) {
        lists.removeOptions(teamId, id);
        lists.addOptions(teamId, id, item.optionIds);
      }
      lists.removeAttributes(teamId, id);
      lists.addAttributes(teamId, id, item.attributes);
      return written(find(teamId, id));
    },
    remove(teamId, id) {
      lists.removeOptions(teamId, id);
      lists.removeAttributes(teamId, id);
      remove.run(teamId, id);
    },
  };
}

export interface Items {
  find(teamId: string, id: string): WireItem | undefined;
  /** Gives the item as it is stored now, as does `update`. */
  insert(item: NewItem): WireItem;
  /** Omitted `optionIds` leave the assignments as they are. The item must exist. */
  update(item: ChangedItem): WireItem;
  /** The item with its lists, so that another can take its id. */
  remove(teamId: string, id: string): void;
}

type ItemColumns = Omit<WireItem, 'id' | 'teamId' | 'classifiers' | 'attributes'>;

export interface NewItem extends Omit<WireItem, 'classifiers' | 'attributes'> {
  readonly optionIds: readonly string[];
  readonly attributes: readonly StoredRange[];
}

export interface ChangedItem extends Omit<NewItem, 'createdAt' | 'optionIds'> {
  readonly optionIds: readonly string[] | undefined;
}
