import type { BoundTo, PlanProblems, ServiceCommandProblems } from '../../text/diagnostic.ts';
import { nearest } from '../../text/nearest.ts';
import { plural, pluralize, quotedForShell } from '../words.ts';
import { catalogFlags, dismissAll, importCommand, namesIn, type Sentences } from './sentences.ts';

function planAgain(flags: string): string {
  return `nothing was sent; unless this plan was already applied, make a new one: trove plan${flags} --out FILE`;
}

/** What is wrong with a saved plan, and with addresses that a person names. */
export const planProblems = {
  'altered-plan': {
    'other-files': () => [
      'the plan matches, but its file names differ: it was created in another folder, or altered',
      'nothing was sent; apply it in the folder where it was created, with the same --catalog',
    ],
    'other-plan': (_, flags) => [
      'the plan in the file does not match the current inputs: it was altered, or a variable that the catalog uses has changed',
      planAgain(flags),
    ],
  },
  'invalid-plan-file': {
    'not-json': (_, flags) => ['this is not a saved plan: it is not JSON', makeOne(flags)],
    'other-form': (_, flags) => ['this is not a saved plan of this version of Trove', makeOne(flags)],
    'planned-twice': ({ environment }, flags) => [
      `the file has two plans for the environment ${environment}`,
      makeOne(flags),
    ],
  },
  'nothing-to-replace': {
    undeclared: () => ["it is not declared, so its record can't be replaced", 'declare it again first'],
    unrecorded: (_, flags) => [
      'it has no record in use',
      `omit --replace; to see what apply would do: trove plan${flags}`,
    ],
  },
  'stale-plan': ({ what, was, is }, flags) => [
    `${boundTo[what]} has changed since the plan was saved${was === undefined ? '' : ` (${what === 'serial' ? 'serial ' : ''}${was ?? 'none'}, now ${is ?? 'none'})`}`,
    planAgain(flags),
  ],
  'unknown-target': {
    moved: ({ to }) => [`\`moved\` in the catalog renames it to ${to}`],
    unknown: ({ address, known }) => {
      const near = nearest(address, namesIn(known));
      return [
        'no resource with this address is declared or recorded',
        near ? `did you mean ${near}?` : 'an address is a kind and a key: item.iron-sword',
      ];
    },
  },
} satisfies Sentences<keyof PlanProblems>;

/** For a file that should hold plans. */
export function makeOne(flags: string): string {
  return `create one: trove plan${flags} --out FILE`;
}

const boundTo: Readonly<Record<BoundTo, string>> = {
  'base-url': 'the base URL',
  catalog: 'the catalog',
  environment: 'the environment',
  'environment-file': 'the environment file',
  journal: 'the state (through the journal of an interrupted run)',
  lineage: 'the lineage of the state',
  serial: 'the state',
  team: 'the team',
  'trove-version': 'the version of Trove',
};

const checkId = 'check the ID';
const stillPending = 'the create is still pending';

/** What stops the commands that plan, or that ask the service. */
export const applyProblems = {
  'another-record': ({ why, reason, address, id }, flags) => {
    const pending = `${checkId}; ${stillPending}`;
    const anyway = `If it is the right one anyway: trove resolve ${address}${flags} --not-created, then ${importCommand(address, id, flags)}`;
    return [reason, why === 'no-options' ? `${pending}. ${anyway}` : pending];
  },
  'database-in-use': (found) => [
    ...notStarted(found),
    'wait for that run to end, or stop trove serve --local, then run it again',
  ],
  'file-refused': ({ environments }) => [
    `nothing was sent: the ${plural(environments.length, 'plan')} for ${environments.join(', ')} in the same file can't be applied`,
    'a file of saved plans is applied as a whole or not at all',
  ],
  interrupted: ({ isPending }) =>
    isPending ? ['nothing was sent', stillPending] : ['interrupted; nothing was written', 'run it again'],
  'no-address': (_, flags) => ['missing address', `to list pending creates: trove resolve${flags}`],
  'no-word': {
    one: ({ address }, flags) => [
      'give exactly one of --id and --not-created',
      `trove resolve ${address}${flags} --id ID, or trove resolve ${address}${flags} --not-created`,
    ],
    several: ({ addresses }, flags) => [
      'several addresses need --not-created, since an ID belongs to one',
      `trove resolve ${addresses.join(' ')}${flags} --not-created`,
    ],
    all: (_, flags) => ['--all needs --not-created, and neither an address nor --id', dismissAll(flags)],
  },
  'not-editable': () => [
    "it can't be edited safely",
    'write `profile` and `probed` without anchors, one entry per line, then probe again',
  ],
  'not-pending': ({ pending, catalog }) => [
    'no pending create for this address',
    `${pending.length > 0 ? `pending: ${pending.join(', ')}` : 'no create is pending'}; ${otherEnvironments(catalog)}`,
  ],
  'one-password': () => [
    "--password-stdin can't be used with several environments",
    'set the variables that each environment names for its credentials',
  ],
  'other-environment': ({ planned, named, file, catalog, begins }) => [
    `the file has plans for ${planned.join(', ')}, but -e selects ${named.join(', ')}`,
    `nothing was sent; a saved plan names its environment, so omit -e: ${applyCommand(file, catalog, begins)}`,
  ],
  'profile-known': ({ environment }) => [
    `environment ${environment} uses the embedded service, whose profile is known`,
    'choose an environment with a `baseUrl`: -e NAME',
  ],
  'reserved-address': ({ address, id }) => [
    `${address} is recorded as ${id}, which no probe created, and a probe would overwrite it`,
    'give this record another address first',
  ],
  'state-gone': ({ records }, flags) => [
    `the state is missing, but the embedded service has ${pluralize(records, 'record')}, which would be created again`,
    `restore the state from git or a copy, or recover it: trove apply${flags} --recover`,
  ],
  'target-with-plan': () => [
    'a saved plan is applied as a whole',
    'use --target and similar flags with trove plan --out instead',
  ],
  'wrong-team': (teams) => [
    otherTeam(teams),
    'check teamId, userId and the credentials; nothing was written',
  ],
} satisfies Sentences<keyof ServiceCommandProblems>;

export function notStarted({ cause }: ServiceCommandProblems['database-in-use']): readonly [string] {
  return [`the embedded service could not be started: ${cause}`];
}

export function otherTeam({ userId, answered, expected }: ServiceCommandProblems['wrong-team']): string {
  return `the service reports that user ${userId} is in team ${answered}, but the environment specifies team ${expected}`;
}

function otherEnvironments(catalog: string): string {
  const flags = catalogFlags(catalog);
  return `for other environments: trove env list${flags}`;
}

/**
 * The command that carries a file of saved plans out, which name their environments. `begins`: one of them is for an
 * environment of which nothing is recorded.
 */
export function applyCommand(file: string, catalog: string, begins: boolean): string {
  const flags = catalogFlags(catalog);
  const first = begins ? ' --new-environment' : '';
  const path = file.startsWith('-') ? `./${file}` : file;
  return `trove apply ${quotedForShell(path)}${flags}${first}`;
}

/** What to do where a command needs a state and there is none. */
export const whenMissing = {
  plan: (environment: string) =>
    `the plan was created with the state of ${environment}: restore it first; nothing was sent`,
  resolve: (catalog: string) =>
    `without a state, nothing is pending; if it was lost, restore it first; ${otherEnvironments(catalog)}`,
};
