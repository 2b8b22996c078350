import { validate } from '../../generated/catalog.js';
import schema from '../../schemas/catalog.schema.json' with { type: 'json' };
import type { Diagnostic } from '../text/diagnostic.ts';
import { keyOrder } from '../text/format/key-order.ts';
import { type SchemaProblem, schemaProblems } from '../text/schema-problems.ts';
import type { YamlDocument } from '../text/yaml.ts';

/** The order of keys in a catalog file. */
export const catalogKeyOrder = keyOrder(schema);

/**
 * What in one catalog file does not fit `schemas/catalog.schema.json`. `already` are the
 * problems found in reading it, which are not repeated.
 */
export function catalogFileErrors(
  document: YamlDocument,
  already: readonly Diagnostic[] = [],
): SchemaProblem[] {
  if (validate(document.value)) return [];
  return schemaProblems(document, schema, validate.errors ?? [], already);
}
