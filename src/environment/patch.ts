import type { ClassifierDeclaration, Declared, ItemDeclaration, RangeDeclaration } from '../catalog/model.ts';
import { declaredHint } from '../catalog/rules.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { ProblemList } from '../text/problem-list.ts';
import { quoted } from '../text/quoted.ts';
import { isMapping, valueAt } from '../text/schema-path.ts';
import type { YamlDocument } from '../text/yaml.ts';
import { type ClassifierOverride, type Environment, type ItemOverride, locationIn } from './model.ts';

/** One declaration with the valid part of its override, and what is wrong with the rest. */
export interface Patched<T> {
  readonly declaration: T;
  readonly problems: readonly Diagnostic[];
}

export function patchClassifier(
  { key, declaration }: Declared<ClassifierDeclaration>,
  override: ClassifierOverride,
  environment: Environment,
): Patched<ClassifierDeclaration> {
  const { options, ...values } = override;
  const merged = mergePatch(declaration, values) as ClassifierDeclaration;
  // The catalog has options, but they violate the schema.
  if (declaration.options === undefined || options === undefined)
    return { declaration: merged, problems: [] };
  const problems = new ProblemList();
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
  const patched = mergePatch(merged, { options: Object.fromEntries(known) }) as ClassifierDeclaration;
  return { declaration: patched, problems: problems.all() };
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
): Patched<ItemDeclaration> {
  const { attributes: ranges = {}, ...values } = override;
  const declaration = mergePatch(item.declaration, values) as ItemDeclaration;
  const patched = new Map(Object.entries(declaration.attributes ?? {}));
  const problems = new ProblemList();
  for (const [key, range] of Object.entries(ranges)) {
    const wanted = mergePatch(patched.get(key), range);
    const problem = rangeProblem(key, range, wanted, item, attributes);
    if (problem === 'unknown') continue;
    if (problem) {
      const path = ['overrides', 'items', item.key, 'attributes', key];
      problems.add(() => ({ ...problem(), ...locationIn(environment, path, 'key') }));
    } else if (range === null) patched.delete(key);
    else patched.set(key, wanted as RangeDeclaration);
  }
  const found = { problems: problems.all() };
  if (problems.count === Object.keys(ranges).length) return { declaration, ...found };
  return { declaration: { ...declaration, attributes: Object.fromEntries(patched) }, ...found };
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
