import { valueAt } from '../text/schema-path.ts';
import type { YamlDocument } from '../text/yaml.ts';

/**
 * The document of a patched declaration: what below it stands in the overrides of `patch` is located there, the
 * rest in `base`, as is the declaration itself.
 */
export function overlaidDocument(base: YamlDocument, patch: YamlDocument | undefined): YamlDocument {
  if (patch === undefined) return base;
  return {
    source: base.source,
    value: base.value,
    locate(path, part) {
      const patched = ['overrides', ...path];
      const isPatched = path.length > 2 && valueAt(patch.value, patched) !== undefined;
      return isPatched ? patch.locate(patched, part) : base.locate(path, part);
    },
  };
}
