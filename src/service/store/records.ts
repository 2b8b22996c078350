import type { Database } from 'libsql';
import type { WireClassifier, WireItem, WireItemAttribute, WireOption } from '../../contract/api.ts';
import { openTable } from './table.ts';

/** Classifiers with their options. Every statement is within one team. */
export function openClassifiers(db: Database) {
  const classifiers = openTable<Omit<WireClassifier, 'classifierOptions'>>(db, 'classifiers');
  const options = openTable<WireOption>(db, 'classifier_options');
  const findClassifier = classifiers.one('WHERE team_id = ? AND id = ?');
  const optionsOf = options.all('WHERE team_id = ? AND classifier_id = ? ORDER BY position');
  const findOption = options.one('WHERE team_id = ? AND id = ?');
  // Options that have no wanted place afterwards go. (And two that change places never have the same one.)
  const clearPlaces = db.prepare<[string, string]>(
    'UPDATE classifier_options SET position = -1 - position WHERE team_id = ? AND classifier_id = ?',
  );
  const withoutPlace = 'FROM classifier_options WHERE team_id = ? AND classifier_id = ? AND position < 0';
  const unassign = db.prepare<[string, string]>(
    `DELETE FROM item_options WHERE option_id IN (SELECT id ${withoutPlace})`,
  );
  const remove = db.prepare<[string, string]>(`DELETE ${withoutPlace}`);

  const find = (teamId: string, id: string): WireClassifier | undefined => {
    const classifier = findClassifier(teamId, id);
    return classifier && { ...classifier, classifierOptions: optionsOf(teamId, id) };
  };
  return {
    find,
    /** The id of the classifier that owns the option; undefined for an option the team does not have. */
    ownerOf: (teamId: string, optionId: string) => findOption(teamId, optionId)?.classifierId,
    /** Inserts or updates; gives the classifier as it is stored now. */
    put(classifier: WrittenClassifier): WireClassifier {
      const { teamId, id, classifierOptions } = classifier;
      classifiers.put(classifier);
      if (classifierOptions !== undefined) {
        clearPlaces.run(teamId, id);
        classifierOptions.forEach((option, position) => {
          options.put({ ...option, teamId, position });
        });
        unassign.run(teamId, id);
        remove.run(teamId, id);
      }
      return find(teamId, id) as WireClassifier;
    },
  };
}

export interface WrittenClassifier extends Omit<WireClassifier, 'classifierOptions'> {
  /**
   * All options in their order. Those that the classifier had besides go, and with them their assignments. undefined:
   * they stay as they are, and a new classifier has none.
   */
  readonly classifierOptions: readonly WireOption[] | undefined;
}

/**
 * Items with their two lists: the options that they are assigned to and their attribute ranges, in the order given.
 * Every statement is within one team.
 */
export function openItems(db: Database) {
  const items = openTable<Omit<WireItem, 'classifiers' | 'attributes'>>(db, 'items');
  const findItem = items.one('WHERE team_id = ? AND id = ?');
  const optionsOf = openTable<WireOption>(db, 'classifier_options').all(
    `JOIN item_options i ON i.option_id = classifier_options.id
     WHERE i.team_id = ? AND i.item_id = ? ORDER BY i.position`,
  );
  const rangesOf = openTable<WireItemAttribute>(db, 'item_attributes').all(
    'WHERE team_id = ? AND item_id = ? ORDER BY position',
  );
  const setOptions = listWriter(db, 'item_options');
  const setRanges = listWriter(db, 'item_attributes');

  const find = (teamId: string, id: string): WireItem | undefined => {
    const item = findItem(teamId, id);
    if (item === undefined) return undefined;
    const classifiers = optionsOf(teamId, id).map((option) => ({
      classifierId: option.classifierId,
      classifierOption: option,
    }));
    return { ...item, classifiers, attributes: rangesOf(teamId, id) };
  };
  return {
    find,
    /** Inserts or updates; gives the item as it is stored now. */
    put(item: WrittenItem): WireItem {
      const { teamId, id, optionIds, attributes } = item;
      items.put(item);
      const options = optionIds?.map((optionId) => ({ optionId }));
      if (options) setOptions(teamId, id, options);
      setRanges(teamId, id, attributes);
      return find(teamId, id) as WireItem;
    },
  };
}

/** Gives a function that replaces a list of an item. */
function listWriter(db: Database, table: string) {
  const { put } = openTable(db, table);
  const clear = db.prepare<[string, string]>(`DELETE FROM ${table} WHERE team_id = ? AND item_id = ?`);
  return (teamId: string, itemId: string, rows: readonly object[]): void => {
    clear.run(teamId, itemId);
    rows.forEach((row, position) => {
      put({ ...row, teamId, itemId, position });
    });
  };
}

export interface WrittenItem extends Omit<WireItem, 'classifiers' | 'attributes'> {
  /** undefined: the assignments stay as they are, and a new item has none. */
  readonly optionIds: readonly string[] | undefined;
  /** Each with the id of its item-attribute record. */
  readonly attributes: readonly Omit<WireItemAttribute, 'itemId'>[];
}
