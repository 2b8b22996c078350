import type { ClassifierDeclaration, Declared, ItemDeclaration, RangeDeclaration } from '../catalog/model.ts';
import { declaredHint } from '../catalog/rules.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import type { ProblemList } from '../text/problem-list.ts';
import { quoted } from '../text/quoted.ts';
import { isMapping, valueAt } from '../text/schema-path.ts';
import type { YamlDocument } from '../text/yaml.ts';
import { type ClassifierOverride, type Environment, type ItemOverride, locationIn } from './model.ts';

/** The declaration with the valid part of its override; what is wrong with the rest goes to `problems`. */
export function patchClassifier(
  { key, declaration }: Declared<ClassifierDeclaration>,
  override: ClassifierOverride,
  environment: Environment,
  problems: ProblemList,
): ClassifierDeclaration {
  const { options, ...values } = override;
  const merged = mergePatch(declaration, values) as ClassifierDeclaration;
  // The catalog has options, but they violate the schema.
  if (declaration.options === undefined || options === undefined) return merged;
  const known = Object.entries(options).filter(([option]) => {
    if (Object.hasOwn(declaration.options, option)) return true;
    problems.add(() => {
      const message = `option ${quoted(option)} is not declared in classifier ${quoted(key)}`;
      const path = ['overrides', 'classifiers', key, 'options', option];
      const hint = declaredHint(option, Object.keys(declaration.options));
      return error('unknown-reference', message, { ...locationIn(environment, path, 'key'), hint });
    });
    return false;
  });
  return mergePatch(merged, { options: Object.fromEntries(known) }) as ClassifierDeclaration;
}

/** The attributes that the catalog declares. Incomplete: it may declare others. */
interface Attributes {
  readonly declared: ReadonlyMap<string, unknown>;
  readonly isIncomplete: boolean;
}

export function patchItem(
  item: Declared<ItemDeclaration>,
  override: ItemOverride,
  attributes: Attributes,
  environment: Environment,
  problems: ProblemList,
): ItemDeclaration {
  const { attributes: ranges = {}, ...values } = override;
  const declaration = mergePatch(item.declaration, values) as ItemDeclaration;
  const patched = new Map(Object.entries(declaration.attributes ?? {}));
  let isPatched = false;
  for (const [key, range] of Object.entries(ranges)) {
    const wanted = mergePatch(patched.get(key), range);
    const problem = rangeProblem(key, range, wanted, item, attributes);
    if (problem === 'unknown') continue;
    if (problem) {
      const path = ['overrides', 'items', item.key, 'attributes', key];
      problems.add(() => ({ ...problem(), ...locationIn(environment, path, 'key') }));
      continue;
    }
    isPatched = true;
    if (range === null) patched.delete(key);
    else patched.set(key, wanted as RangeDeclaration);
  }
  return isPatched ? { ...declaration, attributes: Object.fromEntries(patched) } : declaration;
}

/** `unknown`: it depends on parts of the catalog that could not be read. */
function rangeProblem(
  key: string,
  range: Partial<RangeDeclaration> | null,
  wanted: unknown,
  item: Declared<ItemDeclaration>,
  { declared, isIncomplete }: Attributes,
): (() => Diagnostic) | 'unknown' | undefined {
  const name = quoted(key);
  if (!declared.has(key)) {
    if (isIncomplete) return 'unknown';
    const message = `attribute ${name} is not declared`;
    return () => error('unknown-reference', message, { hint: declaredHint(key, declared.keys()) });
  }
  const has = Object.hasOwn(item.declaration.attributes ?? {}, key);
  const inCatalog = { message: 'the item in the catalog', location: item.document.locate(item.path, 'key') };
  if (range === null) {
    if (has) return undefined;
    if (item.wrong) return 'unknown';
    const message = `item ${quoted(item.key)} has no ${name} in the catalog that could be taken away`;
    return () => error('nothing-to-take', message, { related: [inCatalog], hint: 'remove this line' });
  }
  const missing = ['min', 'max'].filter((bound) => !Object.hasOwn(wanted as object, bound));
  if (missing.length === 0) return undefined;
  if (item.wrong) return 'unknown';
  const message = `${name} needs ${missing.map(quoted).join(' and ')}: the catalog gives item ${quoted(item.key)} no such range`;
  return () => error('missing-property', message, { related: [inCatalog] });
}

/**
 * `base` changed by `patch`: mappings are merged key by key, anything else replaces what was there. An empty mapping
 * changes nothing, not even if `base` has none. The result shares what is not patched.
 */
export function mergePatch(base: unknown, patch: unknown): unknown {
  if (!isMapping(base) || !isMapping(patch)) return patch;
  const patched = Object.entries(patch).flatMap(([key, value]) => {
    if (Object.hasOwn(base, key)) return [[key, mergePatch(base[key], value)] as const];
    return isMapping(value) && Object.keys(value).length === 0 ? [] : [[key, value] as const];
  });
  return Object.fromEntries([...Object.entries(base), ...patched]);
}

/**
 * The document of a patched declaration: locates what stands below `overrides` in the environment's file there, and
 * everything else, with the declaration itself, in the catalog.
 */
export function patchedDocument(base: YamlDocument, patch: YamlDocument | undefined): YamlDocument {
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
