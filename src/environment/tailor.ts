import type { Catalog, Declared } from '../catalog/model.ts';
import { brokenRules } from '../catalog/rules.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import { sortDiagnostics } from '../text/problem-list.ts';
import type { SourceText } from '../text/source.ts';
import type { Environment } from './model.ts';
import { patch } from './patch.ts';
import { type Doubts, leftOutClassifiers, type Tailored, take } from './take.ts';

const noDoubts: Doubts = { isUnsound: false, isIncomplete: false, wrong: [] };

/**
 * The catalog as an environment declares it: the part that it takes, with its overrides. With problems it is the
 * catalog as far as it is sound, so that more of them can be found. What is not patched is shared, not copied.
 */
export function tailor(catalog: Catalog, environment: Environment, doubts: Doubts = noDoubts): Tailored {
  const { overrides, only, document } = environment;
  const isWrong = doubts.wrong.some(([name]) => name === 'overrides');
  if (overrides === undefined && only === undefined && !isWrong) return { catalog, problems: [] };
  const taken = take(catalog, environment, doubts);
  const patched = patch(taken, catalog, environment, doubts);
  const known = knownPart(patched.catalog, doubts);
  const problems = [
    ...taken.problems,
    ...patched.problems,
    ...leftOutClassifiers(known, catalog, taken.unmatched, environment),
    ...brokenByOverride(known, catalog, environment, doubts),
  ];
  const source = document?.source;
  const placed = problems.map((problem) => atOverride(problem, source));
  return { catalog: known, problems: sortDiagnostics(placed) };
}

/** What the catalog breaks by itself is told already; what an override breaks has an end in it. */
function brokenByOverride(
  known: Catalog,
  whole: Catalog,
  { document }: Environment,
  { isUnsound, isIncomplete, wrong }: Doubts,
): readonly Diagnostic[] {
  // Of two items with one id, one may not be taken at all.
  const isOpen = wrong.some(([name]) => name === 'only');
  const items = isOpen ? mapped(known.items, (item) => without(item, ['id'])) : known.items;
  const broken = brokenRules({ ...known, items }, whole, !isIncomplete);
  if (!isUnsound) return broken;
  return broken.filter(({ location, related = [] }) =>
    [location, ...related.map((other) => other.location)].some((place) => place?.source === document?.source),
  );
}

/** Without the fields of which a wrong override says nobody knows what. */
function knownPart(catalog: Catalog, { wrong }: Doubts): Catalog {
  const paths = wrong.filter(([name]) => name === 'overrides').map(([, ...path]) => path);
  if (paths.length === 0) return catalog;
  if (paths.some((path) => path.length < 2)) {
    const classifiers = mapped(catalog.classifiers, withoutAll);
    return { ...catalog, classifiers, items: mapped(catalog.items, withoutAll) };
  }
  const classifiers = new Map(catalog.classifiers);
  const items = new Map(catalog.items);
  for (const [section, key = '', field] of paths) {
    if (section === 'items') blur(items, key, field);
    else blur(classifiers, key, field);
  }
  return { ...catalog, classifiers, items };
}

function blur<T extends object>(all: Map<string, Declared<T>>, key: string, field: string | undefined): void {
  const declared = all.get(key);
  if (declared) all.set(key, field === undefined ? withoutAll(declared) : without(declared, [field]));
}

function withoutAll<T extends object>(declared: Declared<T>): Declared<T> {
  return without(declared, Object.keys(declared.declaration));
}

function without<T extends object>(declared: Declared<T>, fields: readonly string[]): Declared<T> {
  const left = Object.entries(declared.declaration).filter(([field]) => !fields.includes(field));
  return { ...declared, declaration: Object.fromEntries(left) as T };
}

function mapped<T>(map: ReadonlyMap<string, T>, change: (value: T) => T): ReadonlyMap<string, T> {
  return new Map([...map].map(([key, value]) => [key, change(value)]));
}

/** The catalog by itself breaks no rule: where one end of a problem is an override, that is the culprit. */
function atOverride(problem: Diagnostic, source: SourceText | undefined): Diagnostic {
  const { location, related = [] } = problem;
  const culprit = related.find((other) => other.location.source === source);
  if (location === undefined || location.source === source || culprit === undefined) return problem;
  return { ...problem, location: culprit.location, related: [{ message: 'in the catalog', location }] };
}
