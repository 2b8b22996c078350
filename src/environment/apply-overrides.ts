import type { OpenSections } from '../catalog/merge.ts';
import {
  addressOf,
  type Catalog,
  type ClassifierDeclaration,
  type Declared,
  type ItemDeclaration,
  isKey,
  type Kind,
} from '../catalog/model.ts';
import { brokenRules, missingFrom } from '../catalog/rules.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { ProblemList, sortDiagnostics } from '../text/problem-list.ts';
import { isMapping, type Path, valueAt } from '../text/schema-path.ts';
import { isUnknown } from '../text/sound-part.ts';
import type { SourceText } from '../text/source.ts';
import type { YamlDocument } from '../text/yaml.ts';
import { type ClassifierOverride, type Environment, type ItemOverride, locationIn } from './model.ts';
import { leftOutClassifiers, mayMean, selectResources } from './select-resources.ts';

/** A catalog as one environment declares it. With problems: its valid part, to look for more of them. */
interface EnvironmentCatalog {
  readonly catalog: Catalog;
  readonly problems: readonly Diagnostic[];
}

/** What is not known because files are wrong: nothing is reported that may only follow from that. */
export interface Unknowns {
  /** The catalog breaks rules without the environment. */
  readonly isUnsound: boolean;
  /** Of the catalog. */
  readonly open: OpenSections;
  /** Paths of what is wrong in the file of the environment, and undefined. */
  readonly wrong: readonly Path[];
}

export const nothingUnknown: Unknowns = { isUnsound: false, open: new Set(), wrong: [] };

/**
 * The catalog as an environment declares it: the resources that `only` selects, with their overrides. What is not
 * patched is shared, not copied.
 */
export function applyOverrides(
  catalog: Catalog,
  environment: Environment,
  unknowns: Unknowns = nothingUnknown,
): EnvironmentCatalog {
  const { overrides, only, document } = environment;
  const { open, wrong } = unknowns;
  if (overrides === undefined && only === undefined && wrong.length === 0) return { catalog, problems: [] };
  const selection = selectResources(catalog, environment, open);
  const { unmatched } = selection;
  const found = new ProblemList();
  const context = { whole: catalog, environment, open, unmatched, wrong, problems: found };
  const known = patchResources(selection.catalog, context);
  const problems = [
    ...selection.problems,
    ...found.all(),
    ...leftOutClassifiers(known, catalog, unmatched, environment),
    ...brokenByOverride(known, catalog, environment, unknowns),
  ];
  const placed = problems.map((problem) => atOverride(problem, document?.source));
  return { catalog: known, problems: sortDiagnostics(placed) };
}

/** A rule that the catalog breaks without the environment is reported there; what an override breaks has an end in it. */
function brokenByOverride(
  known: Catalog,
  whole: Catalog,
  { document }: Environment,
  { isUnsound, open, wrong }: Unknowns,
): readonly Diagnostic[] {
  return brokenRules(known, whole, open, ({ rule, location, related = [] }) => {
    // Of two items with one ID, one may not be selected at all.
    if (rule === 'same-item-id' && isWhollyWrong(wrong, 'only')) return false;
    const places = [location, ...related.map((other) => other.location)];
    return !isUnsound || places.some((place) => place?.source === document?.source);
  });
}

/** Whether nothing at all is known of a part of the environment's file, or of what it is in. */
export function isWhollyWrong(wrong: Unknowns['wrong'], ...part: Path): boolean {
  return wrong.some(
    (path) => path.length <= part.length && path.every((step, index) => step === part[index]),
  );
}

/** The catalog without the environment breaks no rule: if one end of a problem is an override, that is the culprit. */
function atOverride(problem: Diagnostic, source: SourceText | undefined): Diagnostic {
  const { location, related = [] } = problem;
  const culprit = related.find((other) => other.location.source === source);
  if (location === undefined || location.source === source || culprit === undefined) return problem;
  return { ...problem, location: culprit.location, related: [{ role: 'catalog', location }] };
}

interface PatchContext {
  readonly environment: Environment;
  /** The catalog before anything was left out. */
  readonly whole: Catalog;
  /** It may declare more than could be read. */
  readonly open: OpenSections;
  /** Patterns of `only` that may be meant for anything that is not selected. */
  readonly unmatched: readonly string[];
  readonly wrong: Unknowns['wrong'];
  readonly problems: ProblemList;
}

/** The selected part of a catalog with its overrides. One that has nothing to change is a problem. */
function patchResources(selected: Catalog, context: PatchContext): Catalog {
  const { classifiers = {}, items = {} } = context.environment.overrides ?? {};
  return {
    ...selected,
    classifiers: patchSection('classifier', selected.classifiers, classifiers, context, patchClassifier),
    items: patchSection('item', selected.items, items, context, patchItem),
  };
}

function patchSection<T, O>(
  kind: Kind,
  selected: ReadonlyMap<string, Declared<T>>,
  overrides: Readonly<Record<string, O | undefined>>,
  context: PatchContext,
  patchOne: (declared: Declared<T>, override: O, context: PatchContext) => T,
): ReadonlyMap<string, Declared<T>> {
  const { whole, environment, open, unmatched, wrong, problems } = context;
  const known = kind === 'item' ? whole.items : whole.classifiers;
  // No override can declare options; everything of an item could be overridden.
  const certain = (declared: Declared<T>) =>
    kind === 'item' ? { ...declared, declaration: {} as T } : declared;
  if (isWhollyWrong(wrong, 'overrides', `${kind}s`))
    return new Map([...selected].map(([key, declared]) => [key, certain(declared)]));
  const patched = Object.entries(overrides).flatMap(([key, override]) => {
    const found = selected.get(key);
    if (found === undefined) {
      const mayMeanIt = (pattern: string) => mayMean(pattern, addressOf(kind, key));
      const mayBeSelected = known.has(key) ? unmatched.some(mayMeanIt) : open.has(`${kind}s`);
      if (!mayBeSelected && isKey(key)) problems.add(() => changesNothing(kind, key, known, environment));
      return [];
    }
    if (override === undefined) return [[key, certain(found)] as const];
    const declaration = patchOne(found, override, context);
    const document = patchedDocument(found.document, environment.document);
    return [[key, { ...found, declaration, document }] as const];
  });
  return patched.length === 0 ? selected : new Map([...selected, ...patched]);
}

function changesNothing(
  kind: Kind,
  key: string,
  known: ReadonlyMap<string, unknown>,
  environment: Environment,
): Diagnostic {
  const place = locationIn(environment, ['overrides', `${kind}s`, key], 'key');
  if (!known.has(key)) return error('unknown-reference', { kind, name: key, known, isOutside: true }, place);
  const { location } = locationIn(environment, ['only'], 'key');
  return error(
    'left-out',
    { why: 'overridden', kind, key },
    { ...place, ...(location && { related: [{ role: 'selection', location }] }) },
  );
}

/** Options can be changed, and none can be added. */
function patchClassifier(
  { key, declaration }: Declared<ClassifierDeclaration>,
  { options = {}, ...values }: ClassifierOverride,
  { environment, problems }: PatchContext,
): ClassifierDeclaration {
  // Undefined if they violate the schema.
  const declared: object | undefined = declaration.options;
  const isUndeclared = missingFrom(Object.keys(declared ?? {}));
  const known = Object.entries(options).filter(([option]) => Object.hasOwn(declared ?? {}, option));
  for (const option of Object.keys(declared ? options : {})) {
    if (!isKey(option) || !isUndeclared(option)) continue;
    problems.add(() => {
      const path = ['overrides', 'classifiers', key, 'options', option];
      const values = { kind: 'option', name: option, of: key, known: declared ?? {} };
      return error('unknown-reference', values, locationIn(environment, path, 'key'));
    });
  }
  return mergePatch(declaration, { ...values, options: Object.fromEntries(known) }) as ClassifierDeclaration;
}

function patchItem(
  item: Declared<ItemDeclaration>,
  { attributes = {}, ...values }: ItemOverride,
  { whole, environment, open, problems }: PatchContext,
): ItemDeclaration {
  const declaration = mergePatch(item.declaration, values) as ItemDeclaration;
  const ranges = new Map<string, unknown>(Object.entries(declaration.attributes ?? {}));
  for (const [key, override] of Object.entries(attributes)) {
    const range = mergePatch(ranges.get(key), override);
    const problem = rangeProblem(key, range, item, whole);
    if (problem) {
      // What the catalog could not read may be what this needs.
      const { attributes: ranges } = item.declaration;
      const isWrong = isUnknown(item.declaration, 'attributes') || isUnknown(ranges, key);
      const isOpen = whole.attributes.has(key) ? isWrong : open.has('attributes');
      const place = () => locationIn(environment, ['overrides', 'items', item.key, 'attributes', key], 'key');
      if (!isOpen) problems.add(() => ({ ...problem(), ...place() }));
    } else if (range === null) ranges.delete(key);
    else ranges.set(key, range);
  }
  if (Object.keys(attributes).length === 0) return declaration;
  return { ...declaration, attributes: Object.fromEntries(ranges) as ItemDeclaration['attributes'] & object };
}

/** Why an item can't have this range, or can't have it taken away (null). */
function rangeProblem(
  key: string,
  range: unknown,
  item: Declared<ItemDeclaration>,
  { attributes }: Catalog,
): (() => Diagnostic) | undefined {
  if (!attributes.has(key))
    return () => error('unknown-reference', { kind: 'attribute', name: key, known: attributes });
  const related = [{ role: 'item', location: item.document.locate(item.path, 'key') }] as const;
  if (range === undefined) return undefined;
  if (range === null) {
    if (Object.hasOwn(item.declaration.attributes ?? {}, key)) return undefined;
    return () => error('nothing-to-take', { item: item.key, attribute: key }, { related });
  }
  const missing = ['min', 'max'].filter((bound) => !Object.hasOwn(range as object, bound));
  if (missing.length === 0) return undefined;
  return () => error('missing-property', { of: key, missing, item: item.key }, { related });
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
function patchedDocument(base: YamlDocument, patch: YamlDocument | undefined): YamlDocument {
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
