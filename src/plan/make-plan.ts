import type { Address, Catalog, Kind } from '../catalog/model.ts';
import type { Environment } from '../environment/model.ts';
import { declarationsOf } from '../resources/registry.ts';
import { fold } from '../state/draft.ts';
import type { State, Target } from '../state/model.ts';
import { compareDeclared } from './compare.ts';
import type { PlanContext } from './context.ts';
import { guardsOf, type Surroundings } from './guards.ts';
import { planContext } from './make-context.ts';
import { actions, type Change, type Plan, type Summary } from './model.ts';
import { pendingMoves } from './moves.ts';
import { noOptions, type PlanOptions, statedOptions } from './options.ts';
import { pendingProtections, undeclared } from './retire.ts';
import { dependenciesOf } from './targets.ts';

export interface PlanInputs extends Partial<PlanOptions> {
  readonly catalog: Catalog;
  readonly environment: Environment;
  /** Undefined where nothing was ever recorded. */
  readonly state: State | undefined;
  readonly surroundings?: Surroundings;
}

/** Compares the catalog with what is recorded. Pure: no network, no clock, and the same inputs give the same plan. */
export function makePlan({ catalog, environment, state, surroundings = {}, ...given }: PlanInputs): Plan {
  const stated: PlanOptions = { ...noOptions, ...given };
  const planOptions = { ...stated, recover: stated.recover || state?.recovering !== undefined };
  const moves = pendingMoves(catalog, state);
  const selected = selection(planOptions, catalog);
  const moved = state && moves.length > 0 ? fold(state, moves) : state;
  const context = planContext({ catalog, environment, state: moved, planOptions, selected });
  const classifiers = compareKind('classifier', context);
  const items = compareKind('item', { ...context, unavailable: unavailableIn(classifiers.changes) });
  const changes = [...classifiers.changes, ...items.changes];
  return {
    formatVersion: 1,
    environment: environment.name,
    target: targetOf(environment),
    state: { lineage: state?.lineage ?? null, serial: state?.serial ?? 0 },
    catalog: { digest: catalog.digest },
    guards: guardsOf({
      ...surroundings,
      catalog,
      environment,
      state: moved,
      planOptions: stated,
      changes,
    }),
    ...statedOptions(planOptions),
    summary: summarize(changes, classifiers.unchanged + items.unchanged),
    moved: moves.map(({ from, to }) => ({ from, to })),
    protections: protectionsOf(catalog, moved).filter(({ address }) => selected(address)),
    changes,
  };
}

/** `unchanged`: how many are as declared. */
function compareKind(kind: Kind, context: PlanContext) {
  const { catalog, selected } = context;
  const declared = inKeyOrder(declarationsOf(catalog, kind)).filter(([key]) => selected(`${kind}.${key}`));
  const compared = declared.map(([, each]) => compareDeclared(kind, each, context));
  const gone = undeclared(kind, context).filter(({ address }) => selected(address));
  return {
    changes: [...compared.flat(), ...gone],
    unchanged: compared.filter((changes) => changes.length === 0).length,
  };
}

/** What refers to these has to wait: they have no id yet, and none will come. */
function unavailableIn(classifiers: readonly Change[]): PlanContext['unavailable'] {
  return new Map(
    classifiers.flatMap(({ address, action, remoteId }) =>
      remoteId === null && (action === 'blocked' || action === 'unknown') ? [[address, action] as const] : [],
    ),
  );
}

function protectionsOf(catalog: Catalog, state: State | undefined) {
  return (state ? pendingProtections(catalog, state) : []).map(({ address, protect }) => ({
    address,
    protect,
  }));
}

/** What a person names to be replaced or written again is meant, whatever the targets are. */
function selection(
  { targets, replace, reassert }: PlanOptions,
  catalog: Catalog,
): (address: Address) => boolean {
  if (targets.length === 0) return () => true;
  const selected = dependenciesOf([...targets, ...replace, ...(reassert === 'all' ? [] : reassert)], catalog);
  return (address) => selected.has(address);
}

/** What a state of this environment is bound to. */
export function targetOf({ service, teamId }: Environment): Target {
  return { baseUrl: service.kind === 'embedded' ? 'embedded' : service.baseUrl, teamId };
}

function inKeyOrder<T>(declared: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  return [...declared].sort(([a], [b]) => (a < b ? -1 : 1));
}

function summarize(changes: readonly Change[], unchanged: number): Summary {
  const counts = Object.fromEntries([...actions, 'diverged'].map((name) => [name, 0])) as Record<
    keyof Summary,
    number
  >;
  counts.unchanged = unchanged;
  for (const { action, fields } of changes) {
    counts[action]++;
    if (fields.some(({ diverged }) => diverged)) counts.diverged++;
  }
  return counts;
}
