import type { Database } from 'libsql';
import type { WireItem, WireItemAttribute, WireOption } from '../../contract/wire.ts';

/** The two lists of an item: the options it is assigned to and its attribute ranges, in the order given. */
export function openItemLists(db: Database): ItemLists {
  const selectOptions = db.prepare<[string]>(
    `SELECT o.id, o.name, o.drop_rate_multiplier dropRateMultiplier, o.classifier_id classifierId
     FROM item_options i JOIN classifier_options o ON o.id = i.option_id WHERE i.item_id = ? ORDER BY i.position`,
  );
  const selectAttributes = db.prepare<[string]>(
    `SELECT id, item_id itemId, attribute_id attributeId, min, max
     FROM item_attributes WHERE item_id = ? ORDER BY position`,
  );
  const insertOption = db.prepare<[string, number, string]>(
    'INSERT INTO item_options (item_id, position, option_id) VALUES (?, ?, ?)',
  );
  const insertAttribute = db.prepare<[string, number, string, string, number, number]>(
    'INSERT INTO item_attributes (item_id, position, id, attribute_id, min, max) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const deleteOptions = db.prepare<[string]>('DELETE FROM item_options WHERE item_id = ?');
  const deleteAttributes = db.prepare<[string]>('DELETE FROM item_attributes WHERE item_id = ?');

  return {
    read(itemId) {
      const options = selectOptions.all(itemId) as WireOption[];
      const classifiers = options.map((option) => ({
        classifierId: option.classifierId,
        classifierOption: option,
      }));
      return { classifiers, attributes: selectAttributes.all(itemId) as WireItemAttribute[] };
    },
    addOptions(itemId, optionIds) {
      for (const [position, optionId] of optionIds.entries()) insertOption.run(itemId, position, optionId);
    },
    addAttributes(itemId, attributes) {
      attributes.forEach(({ id, attributeId, min, max }, position) => {
        insertAttribute.run(itemId, position, id, attributeId, min, max);
      });
    },
    removeOptions: (itemId) => void deleteOptions.run(itemId),
    removeAttributes: (itemId) => void deleteAttributes.run(itemId),
  };
}

export interface ItemLists {
  read(itemId: string): Pick<WireItem, 'classifiers' | 'attributes'>;
  /** To an item that has none, as does `addAttributes`. */
  addOptions(itemId: string, optionIds: readonly string[]): void;
  addAttributes(itemId: string, attributes: readonly StoredRange[]): void;
  removeOptions(itemId: string): void;
  removeAttributes(itemId: string): void;
}

/** An attribute range with the id of its item-attribute record. */
export type StoredRange = Omit<WireItemAttribute, 'itemId'>;
