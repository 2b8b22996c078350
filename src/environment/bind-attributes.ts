import type { Catalog } from '../catalog/model.ts';
import { type Diagnostic, error, failure, type Result, success } from '../text/diagnostic.ts';
import { nearest } from '../text/nearest.ts';
import { attributeId } from './attribute-id.ts';
import type { Environment } from './model.ts';

/**
 * The environment with an id for every attribute that the catalog declares, or a complaint for each one that an
 * item uses and the environment does not name, at its declaration.
 */
export function bindAttributes(catalog: Catalog, environment: Environment): Result<Environment> {
  const slips = misspelt(catalog, environment);
  if (slips.length > 0) return failure(...slips);
  const bound = new Map<string, string>();
  const missing = new Set<string>();
  for (const key of catalog.attributes.keys()) {
    const id = attributeId(environment, key);
    if (id === undefined) missing.add(key);
    else bound.set(key, id);
  }
  if (missing.size === 0) return success({ ...environment, attributes: bound });
  const used = usedAttributes(catalog);
  const problems = [...missing]
    .filter((key) => used.has(key))
    .map((key) => unbound(key, catalog, environment));
  return problems.length > 0 ? failure(...problems) : success({ ...environment, attributes: bound });
}

/** A name that no catalog file declares, close to one that is declared and has no id: a slip of the keyboard. */
function misspelt(catalog: Catalog, { attributes, document, name }: Environment): readonly Diagnostic[] {
  const unnamed = [...catalog.attributes.keys()].filter((key) => !attributes.has(key));
  return [...attributes.keys()].flatMap((key) => {
    const meant = catalog.attributes.has(key) ? undefined : nearest(key, unnamed);
    if (meant === undefined) return [];
    const place = document ? { location: document.locate(['attributes', key], 'key') } : { subject: name };
    const hint = `did you mean \`${meant}\`?`;
    return [
      error('unknown-reference', `attribute \`${key}\` is not declared in the catalog`, { ...place, hint }),
    ];
  });
}

/** The keys of all attributes that items have, each once. */
export function usedAttributes(catalog: Catalog): ReadonlySet<string> {
  const used = new Set<string>();
  for (const { declaration } of catalog.items.values()) {
    for (const key of Object.keys(declaration.attributes ?? {})) used.add(key);
  }
  return used;
}

function unbound(key: string, catalog: Catalog, { name }: Environment): Diagnostic {
  const declared = catalog.attributes.get(key);
  return error('unbound-attribute', `attribute \`${key}\` has no id in environment ${name}`, {
    ...(declared && { location: declared.document.locate(declared.path, 'key') }),
    hint: `add \`${key}: ID\` below \`attributes:\` in the file of environment ${name}`,
  });
}
