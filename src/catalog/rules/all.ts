import type { Rule } from '../draft.ts';
import { ignoredFields } from './ignored-fields.ts';
import { itemIds } from './item-ids.ts';
import { moves } from './moves.ts';
import { optionNames } from './option-names.ts';
import { placeholders } from './placeholders.ts';
import { ranges } from './ranges.ts';
import { references } from './references.ts';
import { reservedKeys } from './reserved-keys.ts';
import { uniqueKeys } from './unique-keys.ts';

/** Everything that a catalog must be beyond its schema. */
export const allRules: readonly Rule[] = [
  uniqueKeys,
  references,
  ranges,
  optionNames,
  itemIds,
  ignoredFields,
  placeholders,
  reservedKeys,
  moves,
];
