import { validate } from '../../generated/catalog.js';
import schema from '../../schemas/catalog.schema.json' with { type: 'json' };
import type { Diagnostic } from '../text/diagnostic.ts';
import { type SchemaProblem, schemaProblems } from '../text/schema-problems.ts';
import type { YamlDocument } from '../text/yaml.ts';

/**
 * What in one catalog file does not fit `schemas/catalog.schema.json` (DESIGN section 2). `already` are the
 * problems found in reading it, which are not repeated.
 */
export function catalogFileErrors(
  document: YamlDocument,
  already: readonly Diagnostic[] = [],
): SchemaProblem[] {
  if (validate(document.value)) return [];
  return schemaProblems(document, schema, validate.errors ?? [], already);
}
