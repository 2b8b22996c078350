import { type Address, addressOf, type Catalog, type Declared, type Kind } from '../catalog/model.ts';
import { brokenRules, declaredHint } from '../catalog/rules.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { ProblemList, sortDiagnostics } from '../text/problem-list.ts';
import { quoted } from '../text/quoted.ts';
import type { SourceText } from '../text/source.ts';
import { type Environment, locationIn } from './model.ts';
import { patchClassifier, patchedDocument, patchItem } from './patch.ts';
import { leftOutClassifiers, mayMean, type Selection, selectResources } from './select-resources.ts';

/** A catalog as one environment declares it. With problems: its valid part, to look for more of them. */
export interface EnvironmentCatalog {
  readonly catalog: Catalog;
  readonly problems: readonly Diagnostic[];
}

/** What is not known because files are wrong: nothing is reported that may only follow from that. */
export interface Unknowns {
  /** The catalog breaks rules without the environment. */
  readonly isUnsound: boolean;
  /** The catalog may declare more than could be read. */
  readonly isIncomplete: boolean;
  /** Paths of what is wrong in the file of the environment, and left out. */
  readonly wrong: readonly (readonly string[])[];
}

const nothingUnknown: Unknowns = { isUnsound: false, isIncomplete: false, wrong: [] };

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
  const { isIncomplete, wrong } = unknowns;
  const isWrong = wrong.some(([name]) => name === 'overrides');
  if (overrides === undefined && only === undefined && !isWrong) return { catalog, problems: [] };
  const selection = selectResources(catalog, environment, isIncomplete);
  const patched = patchResources(selection, catalog, environment, isIncomplete);
  const known = withoutWrongFields(patched.catalog, wrong);
  const problems = [
    ...selection.problems,
    ...patched.problems,
    ...leftOutClassifiers(known, catalog, selection.unmatched, environment),
    ...brokenByOverride(known, catalog, environment, unknowns),
  ];
  const placed = problems.map((problem) => atOverride(problem, document?.source));
  return { catalog: known, problems: sortDiagnostics(placed) };
}

interface PatchContext {
  readonly whole: Catalog;
  readonly environment: Environment;
  /** Whether a resource that was not selected may be meant to be, so that its override is no problem. */
  readonly mayBeSelected: (address: Address, isDeclared: boolean) => boolean;
  readonly problems: ProblemList;
}

/** The selected part of the catalog `whole` with its overrides. One that has nothing to change is a problem. */
function patchResources(
  { catalog, unmatched }: Selection,
  whole: Catalog,
  environment: Environment,
  isIncomplete: boolean,
): EnvironmentCatalog {
  const { classifiers = {}, items = {} } = environment.overrides ?? {};
  const attributes = { declared: whole.attributes, isIncomplete };
  const context: PatchContext = {
    whole,
    environment,
    mayBeSelected: (address, isDeclared) =>
      isDeclared ? unmatched.some((pattern) => mayMean(pattern, address)) : isIncomplete,
    problems: new ProblemList(),
  };
  const patched = {
    ...catalog,
    classifiers: patchSection('classifier', catalog.classifiers, classifiers, context, (declared, override) =>
      patchClassifier(declared, override, environment, context.problems),
    ),
    items: patchSection('item', catalog.items, items, context, (declared, override) =>
      patchItem(declared, override, attributes, environment, context.problems),
    ),
  };
  return { catalog: patched, problems: context.problems.all() };
}

function patchSection<T, O>(
  kind: Kind,
  declared: ReadonlyMap<string, Declared<T>>,
  overrides: Readonly<Record<string, O>>,
  context: PatchContext,
  patchOne: (declared: Declared<T>, override: O) => T,
): ReadonlyMap<string, Declared<T>> {
  const { whole, environment, mayBeSelected, problems } = context;
  const known = kind === 'item' ? whole.items : whole.classifiers;
  const patched = Object.entries(overrides).flatMap(([key, override]) => {
    const found = declared.get(key);
    if (found === undefined) {
      if (!mayBeSelected(addressOf(kind, key), known.has(key)))
        problems.add(() => changesNothing(kind, key, known, environment));
      return [];
    }
    const declaration = patchOne(found, override);
    const document = patchedDocument(found.document, environment.document);
    return [[key, { ...found, declaration, document }] as const];
  });
  return patched.length === 0 ? declared : new Map([...declared, ...patched]);
}

function changesNothing(
  kind: Kind,
  key: string,
  known: ReadonlyMap<string, unknown>,
  environment: Environment,
): Diagnostic {
  const place = locationIn(environment, ['overrides', `${kind}s`, key], 'key');
  if (!known.has(key)) {
    const message = `${kind} ${quoted(key)} is not declared in the catalog`;
    return error('unknown-reference', message, { ...place, hint: declaredHint(key, known.keys()) });
  }
  const { location } = locationIn(environment, ['only'], 'key');
  return error('left-out', `this override changes nothing: \`only\` leaves ${kind} ${quoted(key)} out`, {
    ...place,
    ...(location && { related: [{ message: 'what this team gets', location }] }),
    hint: `remove this override, or add ${quoted(addressOf(kind, key))} to \`only\``,
  });
}

/** A rule that the catalog breaks without the environment is reported there; what an override breaks has an end in it. */
function brokenByOverride(
  known: Catalog,
  whole: Catalog,
  { document }: Environment,
  { isUnsound, isIncomplete, wrong }: Unknowns,
): readonly Diagnostic[] {
  // Of two items with one id, one may not be selected at all.
  const isOpen = wrong.some(([name]) => name === 'only');
  const items = isOpen ? mapValues(known.items, (item) => without(item, 'id')) : known.items;
  const broken = brokenRules({ ...known, items }, whole, !isIncomplete);
  if (!isUnsound) return broken;
  return broken.filter(({ location, related = [] }) =>
    [location, ...related.map((other) => other.location)].some((place) => place?.source === document?.source),
  );
}

/** Without the fields that an override changes to something wrong: nobody knows their values. */
function withoutWrongFields(catalog: Catalog, wrong: Unknowns['wrong']): Catalog {
  const paths = wrong.filter(([name]) => name === 'overrides').map(([, ...path]) => path);
  if (paths.length === 0) return catalog;
  if (paths.some((path) => path.length < 2)) {
    const classifiers = mapValues(catalog.classifiers, (classifier) => without(classifier));
    return { ...catalog, classifiers, items: mapValues(catalog.items, (item) => without(item)) };
  }
  const classifiers = new Map(catalog.classifiers);
  const items = new Map(catalog.items);
  for (const [section, key = '', field] of paths) {
    if (section === 'items') removeField(items, key, field);
    else removeField(classifiers, key, field);
  }
  return { ...catalog, classifiers, items };
}

function removeField<T extends object>(all: Map<string, Declared<T>>, key: string, field?: string): void {
  const declared = all.get(key);
  if (declared) all.set(key, without(declared, field));
}

/** The declaration without one field, or without all. */
function without<T extends object>(declared: Declared<T>, field?: string): Declared<T> {
  const left = Object.entries(declared.declaration).filter(([name]) => field !== undefined && name !== field);
  return { ...declared, declaration: Object.fromEntries(left) as T };
}

function mapValues<T>(map: ReadonlyMap<string, T>, change: (value: T) => T): ReadonlyMap<string, T> {
  return new Map([...map].map(([key, value]) => [key, change(value)]));
}

/** The catalog without the environment breaks no rule: if one end of a problem is an override, that is the culprit. */
function atOverride(problem: Diagnostic, source: SourceText | undefined): Diagnostic {
  const { location, related = [] } = problem;
  const culprit = related.find((other) => other.location.source === source);
  if (location === undefined || location.source === source || culprit === undefined) return problem;
  return { ...problem, location: culprit.location, related: [{ message: 'in the catalog', location }] };
}
