import type { Database } from 'libsql';
import type { WireItem, WireItemAttribute, WireOption } from '../../contract/wire.ts';

/** The two lists of an item: the options it is assigned to and its attribute ranges, in the order given. */
export function openItemLists(db: Database): ItemLists {
  const selectOptions = db.prepare<[string, string]>(
    `SELECT o.id, o.name, o.drop_rate_multiplier dropRateMultiplier, o.classifier_id classifierId
     FROM item_options i JOIN classifier_options o ON o.id = i.option_id
     WHERE i.team_id = ? AND i.item_id = ? ORDER BY i.position`,
  );
  const selectAttributes = db.prepare<[string, string]>(
    `SELECT id, item_id itemId, attribute_id attributeId, min, max
     FROM item_attributes WHERE team_id = ? AND item_id = ? ORDER BY position`,
  );
  const insertOption = db.prepare<[string, string, number, string]>(
    'INSERT INTO item_options (team_id, item_id, position, option_id) VALUES (?, ?, ?, ?)',
  );
  const insertAttribute = db.prepare<[string, string, number, string, string, number, number]>(
    `INSERT INTO item_attributes (team_id, item_id, position, id, attribute_id, min, max)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const deleteOptions = db.prepare<[string, string]>(
    'DELETE FROM item_options WHERE team_id = ? AND item_id = ?',
  );
  const deleteAttributes = db.prepare<[string, string]>(
    'DELETE FROM item_attributes WHERE team_id = ? AND item_id = ?',
  );

  return {
    read(teamId, itemId) {
      const options = selectOptions.all(teamId, itemId) as WireOption[];
      const classifiers = options.map((option) => ({
        classifierId: option.classifierId,
        classifierOption: option,
      }));
      return { classifiers, attributes: selectAttributes.all(teamId, itemId) as WireItemAttribute[] };
    },
    addOptions(teamId, itemId, optionIds) {
      for (const [position, optionId] of optionIds.entries()) {
        insertOption.run(teamId, itemId, position, optionId);
      }
    },
    addAttributes(teamId, itemId, attributes) {
      attributes.forEach(({ id, attributeId, min, max }, position) => {
        insertAttribute.run(teamId, itemId, position, id, attributeId, min, max);
      });
    },
    removeOptions: (teamId, itemId) => void deleteOptions.run(teamId, itemId),
    removeAttributes: (teamId, itemId) => void deleteAttributes.run(teamId, itemId),
  };
}

export interface ItemLists {
  read(teamId: string, itemId: string): Pick<WireItem, 'classifiers' | 'attributes'>;
  /** To an item that has none, as does `addAttributes`. */
  addOptions(teamId: string, itemId: string, optionIds: readonly string[]): void;
  addAttributes(teamId: string, itemId: string, attributes: readonly StoredRange[]): void;
  removeOptions(teamId: string, itemId: string): void;
  removeAttributes(teamId: string, itemId: string): void;
}

/** An attribute range with the id of its item-attribute record. */
export type StoredRange = Omit<WireItemAttribute, 'itemId'>;
