import type { Catalog, Declared } from '../catalog/model.ts';
import { brokenRules } from '../catalog/rules.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import { sortDiagnostics } from '../text/problem-list.ts';
import type { SourceText } from '../text/source.ts';
import type { Environment } from './model.ts';
import { type EnvironmentCatalog, patchResources } from './patch.ts';
import { leftOutClassifiers, selectResources } from './select-resources.ts';

/** What is not known because files are wrong: nothing is reported that may only follow from that. */
export interface Unknowns {
  /** The catalog breaks rules without the environment. */
  readonly isUnsound: boolean;
  /** The catalog may declare more than could be read. */
  readonly isIncomplete: boolean;
  /** Paths of what is wrong in the file of the environment, and left out. */
  readonly wrong: readonly (readonly string[])[];
}

export const nothingUnknown: Unknowns = { isUnsound: false, isIncomplete: false, wrong: [] };

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
  const patched = patchResources(selection, { whole: catalog, environment, isIncomplete });
  const known = wrong.length === 0 ? patched.catalog : certainPart(patched.catalog, wrong);
  const problems = [
    ...selection.problems,
    ...patched.problems,
    ...leftOutClassifiers(known, catalog, selection.unmatched, environment),
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
  { isUnsound, isIncomplete }: Unknowns,
): readonly Diagnostic[] {
  return brokenRules(known, whole, !isIncomplete, ({ location, related = [] }) => {
    const places = [location, ...related.map((other) => other.location)];
    return !isUnsound || places.some((place) => place?.source === document?.source);
  });
}

/** Without the fields that an override changes to something wrong: nobody knows their values. */
function certainPart(catalog: Catalog, wrong: Unknowns['wrong']): Catalog {
  const paths = new Set(wrong.map((path) => path.join('/')));
  // Of two items with one id, one may not be selected at all.
  const isCertain = (section: string, key: string, field: string) =>
    !(field === 'id' && paths.has('only')) &&
    ['', `/${section}/${key}`, `/${section}/${key}/${field}`].every((path) => !paths.has(`overrides${path}`));
  const certain = <T extends object>(section: string, all: ReadonlyMap<string, Declared<T>>) =>
    new Map(
      [...all].map(([key, declared]) => {
        const fields = Object.entries(declared.declaration).filter(([field]) =>
          isCertain(section, key, field),
        );
        return [key, { ...declared, declaration: Object.fromEntries(fields) as T }];
      }),
    );
  const { classifiers, items } = catalog;
  return { ...catalog, classifiers: certain('classifiers', classifiers), items: certain('items', items) };
}

/** The catalog without the environment breaks no rule: if one end of a problem is an override, that is the culprit. */
function atOverride(problem: Diagnostic, source: SourceText | undefined): Diagnostic {
  const { location, related = [] } = problem;
  const culprit = related.find((other) => other.location.source === source);
  if (location === undefined || location.source === source || culprit === undefined) return problem;
  return { ...problem, location: culprit.location, related: [{ role: 'catalog', location }] };
}
