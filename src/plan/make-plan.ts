import { type Address, type Catalog, type Kind, kindOf } from '../catalog/model.ts';
import { type ProfilePoint, unknownProfile } from '../contract/profile.ts';
import type { Environment } from '../environment/model.ts';
import { declarationsOf, declaredIn } from '../resources/registry.ts';
import { fold } from '../state/draft.ts';
import { entriesOf } from '../state/entries.ts';
import type { State, Target } from '../state/model.ts';
import { resourceOf } from './change.ts';
import { clientIds } from './client-id.ts';
import { compareDeclared, compareUndeclared } from './compare.ts';
import type { PlanBasis, PlanContext } from './context.ts';
import { guardsOf, type Surroundings } from './guards.ts';
import { type Action, actions, type Change, type Plan, type Summary } from './model.ts';
import { formerAddresses, pendingMoves } from './moves.ts';
import { type NameSources, namesFrom } from './names.ts';
import { dependenciesOf, namedIn, noOptions, type PlanOptions, statedOptions } from './options.ts';
import { plannedOptions } from './planned-options.ts';
import { suspectedRenames } from './rename-detection.ts';

export interface PlanInputs extends Partial<PlanOptions> {
  readonly catalog: Catalog;
  readonly environment: Environment;
  /** Undefined where nothing was ever recorded. */
  readonly state: State | undefined;
  readonly surroundings?: Surroundings;
}

/** Compares the catalog with what is recorded. Pure: no network, no clock, and the same inputs give the same plan. */
export function makePlan({ surroundings, ...inputs }: PlanInputs): Plan {
  const { catalog, environment, state: found, ...given } = inputs;
  const stated: PlanOptions = { ...noOptions, ...given };
  const planOptions = { ...stated, recover: stated.recover || found?.recovering !== undefined };
  const moves = pendingMoves(catalog, found);
  const state = found && moves.length > 0 ? fold(found, moves) : found;
  const selected = selection(planOptions, catalog);
  const renamed = new Set(moves.map(({ to }) => to));
  const { changes, unchanged } = compareAll(environment, { catalog, state, planOptions, selected, renamed });
  return {
    formatVersion: 1,
    environment: environment.name,
    target: targetOf(environment),
    state: { lineage: found?.lineage ?? null, serial: found?.serial ?? 0 },
    catalog: { digest: catalog.digest },
    guards: guardsOf({ ...surroundings, catalog, environment, state, planOptions: stated, changes }),
    ...statedOptions(stated),
    ...(planOptions.recover && { recover: stated.recover || 'continued' }),
    summary: summarize(changes, unchanged),
    moved: moves.map(({ from, to }) => ({ from, to })),
    protections: pendingProtections(catalog, state).filter(({ address }) => selected(address)),
    changes,
  };
}

/** What a person names to be replaced or written again is meant, whatever the targets are. */
function selection({ targets, replace, reassert }: PlanOptions, catalog: Catalog) {
  if (targets.length === 0) return () => true;
  const selected = dependenciesOf([...targets, ...replace, ...namedIn(reassert)], catalog);
  return (address: Address) => selected.has(address);
}

/** Classifiers first: what becomes of them decides what can be sent of the items that are assigned to them. */
function compareAll(
  environment: Environment,
  inputs: Pick<PlanBasis, 'catalog' | 'state' | 'planOptions' | 'selected' | 'renamed'>,
) {
  const { catalog, state } = inputs;
  const { profile, attributes: attributeIds } = environment;
  const sources: NameSources = { catalog, entries: entriesOf(state), attributeIds };
  const basis: PlanBasis = {
    ...inputs,
    entries: sources.entries,
    profile,
    isOpen: (point) => isOpen(point, environment),
    formerAddresses: formerAddresses(catalog),
    unsettled: new Set(sources.entries.all('pending').map(({ address }) => kindOf(address))),
    names: namesFrom(sources),
    clientIds: clientIds(environment, state, catalog.items),
  };
  const context: PlanContext = {
    ...basis,
    options: plannedOptions(basis),
    suspects: suspectedRenames(basis),
    classifiers: new Map(),
  };
  const first = compareKind('classifier', context);
  const classifiers = classifiersOf(first.changes);
  const names = namesFrom({ ...sources, isReplaced: (address) => classifiers.get(address) === 'replace' });
  const second = compareKind('item', { ...context, names, classifiers });
  return { changes: [...first.changes, ...second.changes], unchanged: first.unchanged + second.unchanged };
}

/** What the embedded service does is known; elsewhere a probe may have found that there is no way. */
function isOpen(point: ProfilePoint, { service, profile, probed }: Environment): boolean {
  const isProbed = probed[point] !== undefined && probed[point].value !== 'could-not-tell';
  return service.kind === 'remote' && profile[point] === unknownProfile[point] && !isProbed;
}

/** `unchanged`: how many are as declared. */
function compareKind(kind: Kind, context: PlanContext) {
  const compared = [...declarationsOf(context.catalog, kind)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .filter(([key]) => context.selected(`${kind}.${key}`))
    .map(([, declared]) => compareDeclared(resourceOf(kind, declared), context));
  return {
    changes: [...compared.flat(), ...compareUndeclared(kind, context)],
    unchanged: compared.filter((changes) => changes.length === 0).length,
  };
}

/** Those that items can't refer to by what is recorded of them. */
function classifiersOf(changes: readonly Change[]): PlanContext['classifiers'] {
  return new Map(
    changes.flatMap(({ address, action, remoteId }) => {
      const isMissing = remoteId === null && (action === 'blocked' || action === 'unknown');
      return isMissing || action === 'replace' ? [[address, action] as const] : [];
    }),
  );
}

/** Recorded resources whose `lifecycle.protect` is not what the catalog says now. Nothing is sent for these. */
function pendingProtections(catalog: Catalog, state: State | undefined): Plan['protections'] {
  const entries = entriesOf(state);
  return declaredIn(catalog).flatMap(({ address, declaration }) => {
    const record = entries.find('live', address);
    const protect = declaration.lifecycle?.protect ?? false;
    return record && (record.protect ?? false) !== protect ? [{ address, protect }] : [];
  });
}

/** What a state of this environment is bound to. */
export function targetOf({ service, teamId }: Environment): Target {
  return { baseUrl: service.kind === 'embedded' ? 'embedded' : service.baseUrl, teamId };
}

function summarize(changes: readonly Change[], unchanged: number): Summary {
  const count = (isOne: (change: Change) => boolean) => changes.filter(isOne).length;
  const byAction = actions.map((action) => [action, count((change) => change.action === action)]);
  const counts = Object.fromEntries(byAction) as Record<Action, number>;
  const diverged = count(({ fields }) => fields.some((field) => field.diverged));
  return { ...counts, unchanged: counts.unchanged + unchanged, diverged };
}
