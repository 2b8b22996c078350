import type { ErrorObject } from 'ajv';
import type { Diagnostic } from './diagnostic.ts';
import { nearest } from './nearest.ts';
import { type Path, pathOf, type SchemaNode } from './schema-path.ts';
import { sentenceOf } from './schema-sentences.ts';
import type { YamlDocument } from './yaml.ts';

/** One thing that does not fit the schema, and the value that it is about. */
export interface SchemaProblem {
  readonly path: Path;
  readonly describe: () => Diagnostic;
}

/**
 * A validator's errors about one document as sentences with places, one for each cause. `already` are the
 * problems that reading the document gave: what stands at the place of one of them is not complained about again.
 */
export function schemaProblems(
  document: YamlDocument,
  schema: SchemaNode,
  found: readonly ErrorObject[],
  already: readonly Diagnostic[] = [],
): SchemaProblem[] {
  const known = new Set(already.map(({ location }) => location?.start));
  return withoutEchoes(found)
    .map((one) => {
      const path = pathOf(one.instancePath, document.value);
      return { path, describe: () => sentenceOf({ document, schema, path, found: one }) };
    })
    .filter(({ describe }) => known.size === 0 || !known.has(describe().location?.start));
}

/** Keywords that only repeat what others say, and missing properties that an unknown one was meant to be. */
function withoutEchoes(found: readonly ErrorObject[]): ErrorObject[] {
  const missing = new Map<string, string[]>();
  for (const { instancePath, keyword, params } of found) {
    if (keyword !== 'required') continue;
    missing.set(instancePath, [...(missing.get(instancePath) ?? []), params.missingProperty]);
  }
  for (const { instancePath, keyword, params } of found) {
    const names = missing.get(instancePath);
    if (keyword !== 'additionalProperties' || !names) continue;
    const meant = nearest(params.additionalProperty, names);
    missing.set(
      instancePath,
      names.filter((name) => name !== meant),
    );
  }
  return found.flatMap((one) => {
    if (['propertyNames', 'if'].includes(one.keyword) || one.schemaPath.includes('/oneOf')) return [];
    if (one.keyword !== 'required') return [one];
    const names = missing.get(one.instancePath) ?? [];
    missing.delete(one.instancePath);
    return names.length > 0 ? [{ ...one, params: { names } }] : [];
  });
}
