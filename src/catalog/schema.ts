import { validate } from '../../generated/catalog.js';
import schema from '../../schemas/catalog.schema.json' with { type: 'json' };
import type { Diagnostic } from '../text/diagnostic.ts';
import { keyOrder } from '../text/format/key-order.ts';
import { type Path, pathOf } from '../text/schema-path.ts';
import { type SchemaProblem, schemaProblems } from '../text/schema-problems.ts';
import type { YamlDocument } from '../text/yaml.ts';

/** The order of keys in a catalog file. */
export const catalogKeyOrder = keyOrder(schema);

/**
 * What in one catalog file does not fit `schemas/catalog.schema.json`, and the paths of it. `already` are the problems
 * found in reading it, which are not repeated.
 */
export function catalogFileErrors(
  document: YamlDocument,
  already: readonly Diagnostic[] = [],
): { readonly problems: readonly SchemaProblem[]; readonly wrong: readonly Path[] } {
  if (validate(document.value)) return { problems: [], wrong: [] };
  const errors = validate.errors ?? [];
  return {
    problems: schemaProblems(document, schema, errors, already),
    wrong: errors.map(({ instancePath }) => pathOf(instancePath, document.value)),
  };
}
