import type { Catalog } from '../catalog/model.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { nearest } from '../text/nearest.ts';
import { MOST_LISTED } from '../text/problem-list.ts';
import { type Environment, locationIn } from './model.ts';

/**
 * The service's id of a catalog attribute. The embedded service takes any id, since nobody lists attributes there: an
 * attribute that the file does not name has its key for an id. Undefined: the environment names none.
 */
export function attributeId(environment: Environment, key: string): string | undefined {
  const named = environment.attributes.get(key);
  return named ?? (environment.service.kind === 'embedded' ? key : undefined);
}

/** Names that no catalog file declares, each close to an attribute that is declared and has no id. */
export function misspeltAttributes(catalog: Catalog, environment: Environment): readonly Diagnostic[] {
  return misspeltNames(catalog, environment).map(({ key, meant }) =>
    error(
      'unknown-reference',
      { kind: 'attribute', name: key, known: [meant], isOutside: true },
      locationIn(environment, ['attributes', key], 'key'),
    ),
  );
}

function misspeltNames(catalog: Catalog, { attributes }: Environment) {
  const unnamed = [...catalog.attributes.keys()].filter((key) => !attributes.has(key));
  const undeclared = [...attributes.keys()].filter((key) => !catalog.attributes.has(key));
  // Each is compared with all that have no id, so the time for them must not grow with both.
  return undeclared.slice(0, MOST_LISTED).flatMap((key) => {
    const meant = nearest(key, unnamed);
    return meant === undefined ? [] : [{ key, meant }];
  });
}

/** The attributes that items use and that have no id, except those whose names are only misspelt. */
export function unboundAttributes(catalog: Catalog, environment: Environment): readonly string[] {
  const missing = [...catalog.attributes.keys()].filter((key) => attributeId(environment, key) === undefined);
  if (missing.length === 0) return [];
  const used = usedAttributes(catalog);
  const misspelt = new Set(misspeltNames(catalog, environment).map(({ meant }) => meant));
  return missing.filter((key) => used.has(key) && !misspelt.has(key));
}

/** The keys of all attributes that items have, each once. */
export function usedAttributes(catalog: Catalog): ReadonlySet<string> {
  const used = new Set<string>();
  for (const { declaration } of catalog.items.values()) {
    for (const key of Object.keys(declaration.attributes ?? {})) used.add(key);
  }
  return used;
}

/** The problem with an attribute, at its declaration, that has no id in the environments of these names. */
export function unboundAttribute(key: string, catalog: Catalog, names: readonly string[]): Diagnostic {
  const declared = catalog.attributes.get(key);
  const place = declared && { location: declared.document.locate(declared.path, 'key') };
  return error('unbound-attribute', { attribute: key, environments: names }, place);
}
