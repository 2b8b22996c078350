import type { CredentialNames } from '../../environment/model.ts';
import type { LockOwner } from '../../state/lock-owner.ts';
import type { Diagnostic } from '../../text/diagnostic.ts';
import { placeText } from '../diagnostic-reports.ts';
import { linesOf } from '../terminal.ts';
import { pluralize } from '../words.ts';
import { explainGuard } from './explain-plan.ts';
import { explainProblems } from './explain-problem.ts';
import { otherTeam } from './plan-problems.ts';
import type { Words } from './sentences.ts';
import { describeOwner } from './state-command-problems.ts';

/** Of which environment it is, and what printed commands need to mean it; `check` is what found it. */
interface Subject {
  readonly environmentName: string;
  readonly flags: string;
  readonly check: string;
}

type Flawed = { problems: readonly Diagnostic[] };
/** Of the environment; `local` needs none. */
type OfFile = { file: string | undefined };
/** How many records a state has, and where it is. */
type Counted = { path: string; counts: Readonly<Record<'live' | 'retired' | 'imported', number>> };

/** All that a check can find, by its code, with the values that its words need. */
export const words = {
  problems: ({ problems }: Flawed, { check, flags }: Subject) => {
    const [first] = explainProblems(problems.slice(0, 1), flags);
    if (!first) return [''];
    const isOne = problems.length === 1;
    const count = isOne ? '' : `${problems.length} problems; the first: `;
    const place = placeText(first);
    const lister = check === 'catalog' ? 'validate' : 'plan';
    return [
      `${count}${first.message}${place === undefined ? '' : ` (${place})`}`,
      ...linesOf(first.hint, !isOne && `to see them all: trove ${lister}${flags}`),
    ];
  },
  broken: ({ cause }: { cause: string }) => [
    `this could not be checked: ${cause}`,
    'run it again with --debug and report it',
  ],
  'failed-before': ({ before }: { before: string }) => [`depends on a check that failed: ${before}`],
  'no-environment': () => ["the environment can't be used"],
  'no-state-read': () => ["the state can't be used"],

  node: ({ version }: { version: string }) => [version],
  'old-node': ({ version, oldest }: { version: string; oldest: string }) => [
    `${version} is too old for Trove`,
    `install Node ${oldest} or later`,
  ],

  catalog: (found: { folder: string } & Record<'classifiers' | 'items' | 'files', number>) => [
    `${found.folder} is valid: ${pluralize(found.classifiers, 'classifier')} and ${pluralize(found.items, 'item')} in ${pluralize(found.files, 'file')}`,
  ],

  environment: ({ file }: OfFile, { environmentName }: Subject) => [
    `${environmentName}: ${file === undefined ? 'no file needed' : `${file} is valid`}`,
  ],

  'embedded-service': ({ folder }: { folder: string }) => [
    `the embedded service, with its data in ${folder}`,
  ],
  encrypted: ({ baseUrl }: { baseUrl: string }) => [`${baseUrl}, encrypted`],
  'this-machine': ({ baseUrl }: { baseUrl: string }) => [`${baseUrl}, on this machine`],
  'not-encrypted': ({ baseUrl }: { baseUrl: string }) => [
    `${baseUrl}: the credentials would be sent unencrypted`,
    'use https, and remove `allowInsecureHttp`',
  ],

  credentials: ({ usernameFrom, passwordFrom, isPiped }: CredentialNames & { isPiped: boolean }) => [
    isPiped
      ? `${usernameFrom} is set, and the password came from standard input`
      : `${usernameFrom} and ${passwordFrom} are set`,
  ],
  'no-credentials-needed': () => ['the embedded service needs none'],
  'unusable-password': ({ problems }: Flawed, { flags }: Subject) => [
    explainProblems(problems, flags)
      .map(({ message }) => message)
      .join('; '),
    'pipe only the password into trove',
  ],
  // Variables are named, and their values never are.
  'unusable-credentials': ({ problems, file }: Flawed & OfFile, { environmentName, flags }: Subject) => {
    const unset = problems.filter(({ rule }) => rule === 'missing-credentials');
    const unfit = problems.filter((problem) => !unset.includes(problem));
    const others = explainProblems(unfit, flags).map(({ message }) => message);
    return [
      linesOf(
        unset.length > 0 && `${subjects(unset)} ${unset.length > 1 ? 'are' : 'is'} not set`,
        others,
      ).join('; '),
      `set ${subjects(problems)}, or name other variables below \`credentials\` in ${fileWords(file, environmentName)}`,
    ];
  },

  answers: ({ isEmbedded }: { isEmbedded: boolean }) => [
    isEmbedded ? 'responds' : 'responds and accepts the credentials',
  ],
  'no-user': ({ file }: OfFile, { environmentName, flags }: Subject) => [
    'not checked: the only read in the API needs a userId',
    `add \`userId: ID\` to ${fileWords(file, environmentName)}, so that Trove can read the spaces of that user`,
    `or for once: trove spaces USER_ID${flags}`,
  ],
  'no-credentials': () => ['needs the credentials'],
  'run-has-service': () => ['a run is using the embedded service'],
  'database-in-use': (_: object, { flags }: Subject) => [
    'the database of the embedded service is open in another process',
    `stop it (trove serve, or a run), then: trove doctor${flags}`,
  ],
  'no-database': () => ['the embedded service has no database yet; the first apply creates it'],
  'database-gone': ({ statePath }: { statePath: string }, subject: Subject) =>
    guardWords({ code: 'database-gone', statePath }, subject),

  team: ({ teamId, userId, spaces }: { teamId: string; userId: string; spaces: number }) => [
    `${teamId}: its user ${userId} has ${pluralize(spaces, 'space')}`,
  ],
  'other-team': (teams: Parameters<typeof otherTeam>[0]) => [
    otherTeam(teams),
    'check `teamId`, `userId` and the credentials',
  ],
  'no-spaces': ({ userId }: { userId: string }) => [
    `user ${userId} has no spaces, so the team can't be checked`,
  ],
  'no-user-to-ask': () => ['not checked: only the spaces of a user reveal the team'],
  'not-asked': () => ['the service could not be queried'],

  'not-locked': () => ['not locked'],
  /** `isGone`: the run that had it has surely ended. */
  locked: ({ owner, isGone }: { owner: LockOwner | undefined; isGone: boolean }, { flags }: Subject) => {
    const who = describeOwner(owner);
    const force = `trove state unlock --force${flags}`;
    if (!owner) return [`held by ${who}`, `if no run is active: ${force}`];
    return isGone
      ? [
          `stale lock of ${who}, which has ended`,
          `the next run takes it over; to remove it now: trove state unlock${flags}`,
        ]
      : [`held by ${who}`, `wait for that run to end; if it was killed: ${force}`];
  },

  state: ({ serial, lineage, ...has }: Counted & { serial: number; lineage: string }) => [
    `${countWords(has)}; serial ${serial} of lineage ${lineage}`,
  ],
  'state-begins': ({ path }: { path: string }) => [`${path}: not created yet; the first apply creates it`],
  'no-state': ({ path }: { path: string }, subject: Subject) => {
    const [, ...remedies] = guardWords({ code: 'no-state' }, subject);
    return [`${path} does not exist, so every resource would be created`, ...remedies];
  },
  'state-gone': (lost: { serial?: number; remove: string }, subject: Subject) =>
    guardWords({ code: 'state-gone', ...lost }, subject),
  'older-state': (serials: { serial: number; newest: number }, subject: Subject) =>
    guardWords({ code: 'older-state', ...serials }, subject),
  recovering: (has: Counted, { flags }: Subject) => [
    `${countWords(has)}; the state was lost and its recovery is not finished`,
    `to see what is still missing: trove plan${flags}`,
  ],
  partial: ({ by, ...has }: Counted & { by: 'import' | 'probe' }, { flags }: Subject) => [
    `${countWords(has)}; started by ${by === 'import' ? 'an import' : 'a probe'}, so records missing from it may exist`,
    `if the team is new: trove apply${flags} --new-environment`,
    `if its state was lost: trove apply${flags} --recover`,
    `or import the IDs of its records: trove import${flags} --file FILE`,
  ],

  'empty-journal': () => ['no entries from an interrupted run'],
  'journal-of-run': ({ entries }: { entries: number }) => [
    `${pluralize(entries, 'entry')} of the run that holds the lock`,
  ],
  'journal-left': ({ entries }: { entries: number }, { flags }: Subject) => [
    `an interrupted run left ${pluralize(entries, 'entry')} that the state does not have yet`,
    `the next run replays ${entries === 1 ? 'it' : 'them'}: trove apply${flags}`,
  ],

  'none-wait': ({ of }: { of: keyof typeof recordWords }) => [recordWords[of].none],
  /** `isRunning`: a run is under way that may see the outcome. */
  wait: (found: { of: keyof typeof recordWords; count: number; isRunning: boolean }, { flags }: Subject) => [
    `${recordWords[found.of].some(found.count)}${found.isRunning ? ', and an active run may still settle this' : ''}`,
    `${recordWords[found.of].remedy}${flags}`,
  ],
  'nothing-recorded': () => ['there are no records to check yet'],

  'known-profile': () => ['every setting of the embedded service is known'],
  /** `untold`: how many points the file leaves out, because no probe can find them out. */
  profile: ({ points, untold }: { points: number; untold: number }) => [
    untold === 0 ? `all ${points} profile settings are set` : 'every setting that can be known is set',
  ],
  /**
   * `probe`: nothing is recorded yet, or something is; undefined if the state is lost, and a probe is refused, or if a
   * probe finds nothing more. `lacksAttributes`: it can't try the attributes.
   */
  'unset-points': (
    {
      unset,
      points,
      probe,
      lacksAttributes,
      file,
    }: OfFile & { unset: number; points: number; probe?: string; lacksAttributes: boolean },
    { environmentName, flags }: Subject,
  ) => {
    const are = unset === 1 ? 'is not known; changes that need it' : 'are not known; changes that need them';
    const [ifNew, first] = probe === 'first' ? [', if the team is new', ' --new-environment'] : ['', ''];
    return [
      `${unset} of ${pluralize(points, 'profile setting')} ${are} are blocked`,
      ...(probe ? [`to find out by experiment${ifNew}: trove probe${flags}${first}`] : []),
      ...(lacksAttributes
        ? [
            `a probe of \`itemUpdate.attributes\` needs an ID below \`attributes\` in ${fileWords(file, environmentName)}`,
          ]
        : []),
      `${probe ? 'or ' : ''}set what is known below \`profile\` in ${fileWords(file, environmentName)} (see Trove's docs/profile.md)`,
    ];
  },

  ignored: () => ['ignores the journal and lock of the state'],
  'not-ignored': () => [
    'does not ignore the journal and lock of the state, which belong to this machine',
    'add the lines *.journal and *.lock to .gitignore',
  ],
  'no-git': () => ['the catalog is not in a git checkout, or git is not installed'],
  'state-elsewhere': () => ['the state, its journal and its lock are not in the catalog folder'],
} satisfies Readonly<Record<string, (values: never, subject: Subject) => Words>>;

/** What waits for a person or for the next run. */
const recordWords = {
  unknown: {
    none: 'every create has a known outcome',
    some: (count: number) => `${pluralize(count, 'create')} with an unknown outcome`,
    remedy: 'to list them: trove resolve',
  },
  unconfirmed: {
    none: 'every update has a known outcome',
    some: (count: number) => `${pluralize(count, 'update')} may or may not have been applied`,
    remedy: 'to see which the next apply sends again: trove plan',
  },
  imported: {
    none: 'no imported ID is waiting for confirmation',
    some: (count: number) => `${pluralize(count, 'imported ID')} not confirmed yet`,
    remedy: 'the next apply confirms them: trove apply',
  },
  diverged: {
    none: 'the service stored every value as sent',
    some: (count: number) => `the service stored ${pluralize(count, 'record')} differently than sent`,
    remedy: 'to see both values: trove plan',
  },
};

function guardWords(guard: Parameters<typeof explainGuard>[0], { environmentName, flags }: Subject): Words {
  const { reason, remedies } = explainGuard(guard, { environment: environmentName, flags });
  return [reason, ...remedies];
}

function subjects(problems: Flawed['problems']): string {
  return [...new Set(problems.map(({ subject }) => subject))].join(' and ');
}

/** Every environment but `local` has a file. */
function fileWords(file: string | undefined, environment: string): string {
  return file ?? `the file of environment ${environment}`;
}

function countWords({ path, counts }: Counted): string {
  const others = (['retired', 'imported'] as const).filter((status) => counts[status] > 0);
  const all = [pluralize(counts.live, 'record'), ...others.map((status) => `${counts[status]} ${status}`)];
  return `${path}: ${all.join(', ')}`;
}
