import { type Address, addressOf, type Catalog } from '../catalog/model.ts';
import type { Environment } from '../environment/model.ts';
import { declarationsOf, kindOrder } from '../resources/registry.ts';
import { type Entries, entriesOf } from '../state/entries.ts';
import type { State } from '../state/model.ts';
import { isOlder, type SavedVersion } from '../state/version.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { pluralize } from '../text/pluralize.ts';
import type { Change, Guard, Plan } from './model.ts';
import { isSelected, type PlanOptions } from './options.ts';

/** What the machine and other environments tell, beyond the state. */
export interface Surroundings {
  /** The newest version of a state that is known to have been there, perhaps of another history. */
  readonly newest?: SavedVersion | undefined;
  /** Other environments of the same team. */
  readonly sharedTeams?: readonly Diagnostic[];
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
  /** What printed commands need to mean this catalog and environment. */
  readonly flags: string;
}

/** Every reason for which apply refuses a plan as a whole: most of them, that it could create things twice. */
export function guardsOf(guarded: Guarded): readonly Guard[] {
  return [
    ...withoutState(guarded),
    ...sharedTeam(guarded),
    ...lostHalf(guarded),
    ...olderState(guarded),
    ...partialState(guarded),
    ...strangeState(guarded),
    ...exceededLimits(guarded),
  ];
}

/** What is left of them where a person has said that the environment is new. */
export function standingGuards(
  { guards }: Pick<Plan, 'guards'>,
  { newEnvironment = false }: { readonly newEnvironment?: boolean },
): readonly Guard[] {
  return guards.filter(({ override }) => !newEnvironment || override !== '--new-environment');
}

/** Guards as problems of their environment. */
export function guardProblems(guards: readonly Guard[], environment: string): readonly Diagnostic[] {
  const subject = `environment ${environment}`;
  return guards.map(({ code, reason, remedies }) =>
    error(code, reason, { subject, hint: remedies.join('; ') }),
  );
}

/** A mislaid state must not create everything twice. The embedded service can be begun anew at will. */
function withoutState({ environment, state, planOptions, flags }: Guarded): readonly Guard[] {
  const isExempt = state || planOptions.recover || environment.service.kind === 'embedded';
  return isExempt ? [] : [noState(environment.name, flags)];
}

/** Two environments that have a state may still update their records: only what they make is made twice. */
function sharedTeam({ state, sharedTeams = [], changes }: Guarded): readonly Guard[] {
  return state && countSent('POST', changes) === 0
    ? []
    : sharedTeams.map(({ message, hint = '' }) => ({
        code: 'shared-team',
        reason: message,
        remedies: [hint],
        override: null,
      }));
}

/** The embedded service and its state belong together: without the one, the other is of another world. */
function lostHalf({
  environment,
  state,
  newest,
  hasDatabase,
  planOptions,
  flags,
}: Guarded): readonly Guard[] {
  if (hasDatabase === undefined) return [];
  const { state: at, dataFolder } = environment;
  const records = entriesOf(state).all('live').length + entriesOf(state).all('retired').length;
  if (!hasDatabase && records > 0) return [databaseGone(at.path)];
  if (state || !hasDatabase || !newest || planOptions.recover) return [];
  return [
    {
      code: 'state-gone',
      reason:
        'the state is gone, and the embedded service may have its records, which would be created twice',
      remedies: [
        'put it back',
        `to find its records again: trove apply${flags} --recover`,
        `to begin again with an empty service, remove ${dataFolder}`,
      ],
      override: '--new-environment',
    },
  ];
}

export function noState(environment: string, flags: string): Guard {
  return {
    code: 'no-state',
    reason: `environment ${environment} has no state, so every record would be created anew`,
    remedies: [
      'if it was applied before, put its state back first',
      `if the state is lost for good: trove apply${flags} --recover`,
      `if this environment is really new: trove apply${flags} --new-environment`,
    ],
    override: '--new-environment',
  };
}

export function databaseGone(statePath: string): Guard {
  return {
    code: 'database-gone',
    reason: 'the database of the embedded service is gone, and the state still has its records',
    remedies: ['put it back', `to begin again with an empty service, remove ${statePath}`],
    override: null,
  };
}

/** What came after an older version looks new, and would be created a second time. */
function olderState({ state, newest, planOptions, flags }: Guarded): readonly Guard[] {
  if (!state || !newest || planOptions.recover || !isOlder(state, newest)) return [];
  return [
    {
      code: 'older-state',
      reason: `the state is an older version: its serial is ${state.serial}, and this machine had ${newest.serial}, so what came after would be created a second time`,
      remedies: [
        'put the newer version back: from git, or from a copy that trove state pull made',
        `if it is lost for good: trove apply${flags} --recover`,
        `if this one is right all the same: trove state push${flags} --force FILE`,
      ],
      override: '--recover',
    },
  ];
}

/**
 * A state that was begun by an import or a probe may be that of a team whose own was lost: what it does not know is
 * not created before a person has said so, as if there were no state.
 */
function partialState({ state, planOptions, changes, flags }: Guarded): readonly Guard[] {
  if (!state?.partial) return [];
  const known = new Set(
    entriesOf(state)
      .all('pending')
      .map(({ address }) => address),
  );
  const [first, ...others] = changes.filter(
    ({ action, address }) =>
      action === 'create' && !known.has(address) && !isSelected(planOptions.confirmNew, address),
  );
  if (!first) return [];
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  const begun = state.partial.by === 'import' ? 'an import' : 'a probe';
  return [
    {
      code: 'partial-state',
      reason: `the state was begun by ${begun}, and ${first.address}${more}, which it does not know, would be created anew`,
      remedies: [
        `if the team has them: trove import ADDRESS ID${flags}`,
        `if its state was lost: trove apply${flags} --recover`,
        `if they are really new: trove apply${flags} --new-environment`,
      ],
      override: '--new-environment',
    },
  ];
}

/** In a smaller catalog everything may well have been renamed at once. */
const TELLING = 10;

/** A state that has records and knows nothing of a catalog is most likely another catalog's, or an old one. */
function strangeState({ catalog, state, planOptions, flags }: Guarded): readonly Guard[] {
  const entries = entriesOf(state);
  const recorded = entries.all('live').length;
  if (!state || recorded === 0 || planOptions.confirmNew === 'all') return [];
  const declared = kindOrder.flatMap((kind) =>
    [...declarationsOf(catalog, kind).keys()].map((key) => addressOf(kind, key)),
  );
  if (declared.length < TELLING) return [];
  if (declared.some((address) => isRecorded(address, entries))) return [];
  return [
    {
      code: 'strange-state',
      reason: `the state knows none of the ${declared.length} resources of this catalog, and has ${pluralize(recorded, 'other')}: is it the right one?`,
      remedies: [
        'check the catalog and the environment',
        `if all of them really are new: trove apply${flags} --confirm-new`,
      ],
      override: '--confirm-new',
    },
  ];
}

function isRecorded(address: Address, entries: Entries): boolean {
  return entries.at(address).some(({ status }) => status !== 'forgotten');
}

/** More than the environment allows to be sent: a slip of the keyboard can't be deleted again. */
function exceededLimits({ environment: { limits }, changes }: Guarded): readonly Guard[] {
  return [
    ...over('maxCreates', 'create', countSent('POST', changes), limits?.maxCreates),
    ...over('maxUpdates', 'update', countSent('PUT', changes), limits?.maxUpdates),
  ];
}

function countSent(method: 'POST' | 'PUT', changes: readonly Change[]): number {
  return changes.filter(({ requests }) => requests.some((request) => request.method === method)).length;
}

function over(limit: string, what: string, count: number, maximum: number | undefined): readonly Guard[] {
  if (maximum === undefined || count <= maximum) return [];
  return [
    {
      code: 'limit-exceeded',
      reason: `the plan has ${pluralize(count, what)}, and \`limits.${limit}\` allows ${maximum}`,
      remedies: ['raise the limit in a reviewed change', 'apply in parts with --target'],
      override: null,
    },
  ];
}
