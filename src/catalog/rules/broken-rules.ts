import type { Diagnostic } from '../../text/diagnostic.ts';
import type { Catalog } from '../model.ts';
import { allRules } from './all.ts';

/**
 * What the rules say of a catalog that was changed after it was loaded. `whole` is the catalog before a part of it
 * was left out: what is declared there is no unknown name.
 */
export function brokenRules(catalog: Catalog, whole: Catalog, complete: boolean): readonly Diagnostic[] {
  const { attributes, items } = catalog;
  const classifiers = new Map([...whole.classifiers, ...catalog.classifiers]);
  const keys = {
    attributes: new Set(whole.attributes.keys()),
    classifiers: new Set(whole.classifiers.keys()),
    items: new Set(whole.items.keys()),
  };
  const draft = { attributes, classifiers, items, keys, moved: [], repetitions: [], complete };
  return allRules.flatMap((rule) => rule(draft));
}
