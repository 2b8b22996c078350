import { shownPath } from '../catalog/find.ts';
import type { Catalog } from '../catalog/model.ts';
import type { Environment } from '../environment/model.ts';
import { declaredIn } from '../resources/registry.ts';
import { entriesOf } from '../state/entries.ts';
import type { State } from '../state/model.ts';
import { isOlder, type SavedVersion } from '../state/version.ts';
import type { Problems } from '../text/diagnostic.ts';
import type { Change, Guard } from './model.ts';
import { isSelected, type PlanOptions } from './options.ts';

/** What the machine and other environments tell, beyond the state. */
export interface Surroundings {
  /** The newest version of a state that is known to have been there, perhaps of another history. */
  readonly newest?: SavedVersion | undefined;
  /** Other environments of the same team. */
  readonly sharedTeams?: readonly Problems['shared-team'][];
  /** The disk of this machine goes away after the run, as that of a pipeline's runner does. */
  readonly isEphemeral?: boolean;
  /** Whether the embedded service has its database; undefined for another service. */
  readonly hasDatabase?: boolean;
}

/** What guards look at. */
interface Guarded extends Surroundings {
  readonly catalog: Catalog;
  readonly environment: Environment;
  /** With what `moved` renames under its new address. Undefined where nothing was ever recorded. */
  readonly state: State | undefined;
  /** As a person said them: a recovery under way excuses nothing. */
  readonly planOptions: PlanOptions;
  readonly changes: readonly Change[];
}

/** Every reason for which apply refuses a plan as a whole: most of them, that it could create things twice. */
export function guardsOf(guarded: Guarded): readonly Guard[] {
  return rules.flatMap((rule) => rule(guarded));
}

const rules: readonly ((guarded: Guarded) => readonly Guard[])[] = [
  withoutState,
  onRunner,
  sharedTeam,
  lostHalf,
  olderState,
  partialState,
  strangeState,
  exceededLimits,
];

/** What is left of them where a person has said that the environment is new. */
export function standingGuards<G extends Guard>(
  { guards }: { readonly guards: readonly G[] },
  { newEnvironment = false }: { readonly newEnvironment?: boolean },
): readonly G[] {
  return guards.filter(({ override }) => !newEnvironment || override !== '--new-environment');
}

/** A missing state must not create everything twice. The embedded service may start over at any time. */
function withoutState({ environment, state, newest, planOptions }: Guarded): readonly Guard[] {
  if (state || planOptions.recover || environment.service.kind === 'embedded') return [];
  if (!newest) return [{ code: 'no-state', override: '--new-environment' }];
  const remove = shownPath(environment.newestVersionPath, environment.catalogFolder);
  return [{ code: 'state-gone', serial: newest.serial, remove, override: '--recover' }];
}

/** The IDs of what is created would be gone with the runner. */
function onRunner({ environment: { state, service }, isEphemeral }: Guarded): readonly Guard[] {
  const isLost = isEphemeral && state.kind === 'file' && service.kind === 'remote';
  return isLost ? [{ code: 'state-on-runner', override: null }] : [];
}

/** Two environments that have a state may still update their records: only what they make is made twice. */
function sharedTeam({ state, sharedTeams = [], changes }: Guarded): readonly Guard[] {
  return state && countSent('POST', changes) === 0
    ? []
    : sharedTeams.map((shared) => ({ code: 'shared-team', ...shared, override: null }));
}

/** The embedded service and its state belong together: without the one, the other is of another world. */
function lostHalf({ environment, state, newest, hasDatabase, planOptions }: Guarded): readonly Guard[] {
  if (hasDatabase === undefined) return [];
  const inCatalog = (path: string) => shownPath(path, environment.catalogFolder);
  const records = entriesOf(state).all('live').length + entriesOf(state).all('retired').length;
  if (!hasDatabase && records > 0)
    return [{ code: 'database-gone', statePath: inCatalog(environment.state.path), override: null }];
  if (state || !hasDatabase || !newest || planOptions.recover) return [];
  return [{ code: 'state-gone', remove: inCatalog(environment.database), override: '--new-environment' }];
}

/** What came after an older version looks new, and would be created a second time. */
function olderState({ state, newest, planOptions }: Guarded): readonly Guard[] {
  if (!state || !newest || planOptions.recover || !isOlder(state, newest)) return [];
  return [{ code: 'older-state', serial: state.serial, newest: newest.serial, override: '--recover' }];
}

/**
 * A state that was begun by an import or a probe may be that of a team whose own was lost: what it does not know is
 * not created before a person has said so, as if there were no state.
 */
function partialState({ state, planOptions, changes }: Guarded): readonly Guard[] {
  if (!state?.partial) return [];
  const [first, ...others] = changes.filter(
    ({ action, address }) =>
      action === 'create' &&
      !entriesOf(state).find('pending', address) &&
      !isSelected(planOptions.confirmNew, address),
  );
  if (!first) return [];
  const { by: begunBy } = state.partial;
  const known = { begunBy, first: first.address, others: others.length };
  return [{ code: 'partial-state', ...known, override: '--new-environment' }];
}

/** In a smaller catalog everything may well have been renamed at once. */
const TELLING = 10;

/** A state that has records and knows nothing of a catalog is most likely another catalog's, or an old one. */
function strangeState({ catalog, state, planOptions }: Guarded): readonly Guard[] {
  const entries = entriesOf(state);
  const recorded = entries.all('live').length;
  if (!state || recorded === 0 || planOptions.confirmNew === 'all') return [];
  const declared = declaredIn(catalog);
  const isRecorded = declared.some(({ address }) =>
    entries.at(address).some(({ status }) => status !== 'forgotten'),
  );
  if (declared.length < TELLING || isRecorded) return [];
  return [{ code: 'strange-state', declared: declared.length, recorded, override: '--confirm-new' }];
}

/** More than the environment allows to be sent: a slip of the keyboard can't be deleted again. */
function exceededLimits({ environment: { limits }, changes }: Guarded): readonly Guard[] {
  return (['maxCreates', 'maxUpdates'] as const).flatMap((limit) => {
    const count = countSent(limit === 'maxCreates' ? 'POST' : 'PUT', changes);
    const allowed = limits?.[limit] ?? count;
    return count > allowed ? [{ code: 'limit-exceeded', limit, count, allowed, override: null }] : [];
  });
}

function countSent(method: 'POST' | 'PUT', changes: readonly Change[]): number {
  return changes.filter(({ requests }) => requests.some((request) => request.method === method)).length;
}
