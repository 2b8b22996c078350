import { validate } from '../../generated/catalog.js';
import schema from '../../schemas/catalog.schema.json' with { type: 'json' };
import type { Diagnostic } from '../text/diagnostic.ts';
import { type Path, pathOf, type SchemaNode } from '../text/schema-path.ts';
import { type SchemaProblem, schemaProblems } from '../text/schema-problems.ts';
import type { YamlDocument } from '../text/yaml.ts';

export const catalogSchema: SchemaNode = schema;

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
