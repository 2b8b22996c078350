import type { Database } from 'libsql';
import type { WireItem, WireItemAttribute, WireOption } from '../../contract/wire.ts';
import { openTable } from './table.ts';

/**
 * Items with their two lists: the options that they are assigned to and their attribute ranges, in the order given.
 * Every statement is within one team.
 */
export function openItems(db: Database) {
  const items = openTable<ItemFields>(db, 'items');
  const assignments = openTable(db, 'item_options');
  const ranges = openTable<WireItemAttribute>(db, 'item_attributes');
  const findItem = items.one('WHERE team_id = ? AND id = ?');
  const optionsOf = openTable<WireOption>(db, 'classifier_options').all(
    `JOIN item_options i ON i.option_id = classifier_options.id
     WHERE i.team_id = ? AND i.item_id = ? ORDER BY i.position`,
  );
  const rangesOf = ranges.all('WHERE team_id = ? AND item_id = ? ORDER BY position');
  const removeItem = db.prepare<[string, string]>('DELETE FROM items WHERE team_id = ? AND id = ?');
  const removeOptions = db.prepare<[string, string]>(
    'DELETE FROM item_options WHERE team_id = ? AND item_id = ?',
  );
  const removeRanges = db.prepare<[string, string]>(
    'DELETE FROM item_attributes WHERE team_id = ? AND item_id = ?',
  );

  const find = (teamId: string, id: string): WireItem | undefined => {
    const item = findItem(teamId, id);
    if (item === undefined) return undefined;
    const classifiers = optionsOf(teamId, id).map((option) => ({
      classifierId: option.classifierId,
      classifierOption: option,
    }));
    return { ...item, classifiers, attributes: rangesOf(teamId, id) };
  };
  const addLists = ({ teamId, id: itemId, optionIds = [], attributes }: WrittenItem): void => {
    optionIds.forEach((optionId, position) => {
      assignments.insert({ teamId, itemId, position, optionId });
    });
    attributes.forEach((range, position) => {
      ranges.insert({ ...range, teamId, itemId, position });
    });
  };
  return {
    find,
    /** Gives the item as it is stored now, as does `update`. */
    insert(item: WrittenItem): WireItem {
      items.insert(item);
      addLists(item);
      return find(item.teamId, item.id) as WireItem;
    },
    /** The item must exist. */
    update(item: WrittenItem): WireItem {
      items.update(item);
      if (item.optionIds !== undefined) removeOptions.run(item.teamId, item.id);
      removeRanges.run(item.teamId, item.id);
      addLists(item);
      return find(item.teamId, item.id) as WireItem;
    },
    /** The item with its lists, so that another can take its id. */
    remove(teamId: string, id: string): void {
      removeOptions.run(teamId, id);
      removeRanges.run(teamId, id);
      removeItem.run(teamId, id);
    },
  };
}

export type Items = ReturnType<typeof openItems>;

type ItemFields = Omit<WireItem, 'classifiers' | 'attributes'>;

export interface WrittenItem extends ItemFields {
  /** undefined: the assignments stay as they are, and a new item has none. */
  readonly optionIds: readonly string[] | undefined;
  readonly attributes: readonly StoredRange[];
}

/** An attribute range with the id of its item-attribute record. */
type StoredRange = Omit<WireItemAttribute, 'itemId'>;
