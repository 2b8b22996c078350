import { placeText } from '../diagnostic-reports.ts';
import type { DoctorCheck, Finding, Found, FoundCode, RecordCheck } from '../model.ts';
import { linesOf } from '../terminal.ts';
import { pluralize } from '../words.ts';
import { explainGuard } from './explain-plan.ts';
import { explainProblems } from './explain-problem.ts';
import { otherTeam } from './plan-problems.ts';
import { describeOwner } from './state-command-problems.ts';

/** A finding put into words. Texts are not escaped; a remedy that ends with `: trove ...` has a command to type. */
export interface ExplainedFinding extends Pick<Finding, 'check' | 'status'> {
  readonly message: string;
  readonly remedies: readonly string[];
}

/** Of which environment it is, and what printed commands need to mean it. */
interface Subject {
  readonly environmentName: string;
  readonly flags: string;
}

/** What is true now, then what to do about it, commands as typed. */
type Words = readonly [message: string, ...remedies: readonly string[]];

type Explain<Values> = (values: Values, subject: Subject & { readonly check: DoctorCheck }) => Words;

export function explainFindings(findings: readonly Finding[], subject: Subject): readonly ExplainedFinding[] {
  return findings.map((finding) => {
    const { check, status, code } = finding;
    const [message, ...remedies] = (words[code] as Explain<Finding>)(finding, { ...subject, check });
    return { check, status, message, remedies };
  });
}

const words: { readonly [Code in FoundCode]: Explain<Found[Code]> } = {
  problems: ({ problems }, { check, flags }) => {
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
  broken: ({ cause }) => [`this could not be checked: ${cause}`, 'run it again with --debug and report it'],
  'failed-before': ({ before }) => [`the check before it failed: ${before}`],
  'no-environment': () => ["the environment can't be used"],
  'no-state-read': () => ["the state can't be used"],

  node: ({ version }) => [version],
  'old-node': ({ version, oldest }) => [`${version} is too old for Trove`, `install Node ${oldest} or later`],

  catalog: ({ folder, classifiers, items, files }) => [
    `${folder} is valid: ${pluralize(classifiers, 'classifier')} and ${pluralize(items, 'item')} in ${pluralize(files, 'file')}`,
  ],

  environment: ({ file }, { environmentName }) => [
    `${environmentName}: ${file === undefined ? 'it needs no file' : `${file} is valid`}`,
  ],

  'embedded-service': ({ folder }) => [`the embedded service, with its data in ${folder}`],
  encrypted: ({ baseUrl }) => [`${baseUrl}, encrypted`],
  'this-machine': ({ baseUrl }) => [`${baseUrl}, on this machine`],
  'not-encrypted': ({ baseUrl }) => [
    `${baseUrl}: anybody on the way can read the credentials`,
    'use https, and remove `allowInsecureHttp`',
  ],

  credentials: ({ usernameFrom, passwordFrom, isPiped }) => [
    isPiped
      ? `${usernameFrom} is set, and the password came from standard input`
      : `${usernameFrom} and ${passwordFrom} are set`,
  ],
  'no-credentials-needed': () => ['the embedded service needs none'],
  'unusable-password': ({ problems }, { flags }) => [
    explainProblems(problems, flags)
      .map(({ message }) => message)
      .join('; '),
    'pipe the password alone into trove',
  ],
  // Variables are named, and their values never are.
  'unusable-credentials': ({ problems, file }, { environmentName, flags }) => {
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

  answers: ({ isEmbedded }) => [isEmbedded ? 'answers' : 'answers, and takes the credentials'],
  'no-user': ({ file }, { environmentName, flags }) => [
    'without the id of a user, nothing can be asked without a write',
    `add \`userId: ID\` to ${fileWords(file, environmentName)}: the spaces of that user are then read`,
    `or for once: trove spaces USER_ID${flags}`,
  ],
  'no-credentials': () => ['it needs the credentials'],
  'run-has-service': () => ['a run has the embedded service now'],
  'database-in-use': (_, { flags }) => [
    'another process has the database of the embedded service open',
    `stop it (trove serve, or a run), then: trove doctor${flags}`,
  ],
  'no-database': () => ['the embedded service has no database yet; the first apply makes it'],
  'database-gone': ({ statePath }, subject) => guardWords({ code: 'database-gone', statePath }, subject),

  team: ({ teamId, userId, spaces }) => [`${teamId}: its user ${userId} has ${pluralize(spaces, 'space')}`],
  'other-team': (teams) => [otherTeam(teams), 'check `teamId`, `userId` and the credentials'],
  'no-spaces': ({ userId }) => [`user ${userId} has no spaces, so the service does not say which team it is`],
  'no-user-to-ask': () => ['the spaces of a user would tell it'],
  'not-asked': () => ['the service could not be asked'],

  'not-locked': () => ['nobody has it'],
  locked: ({ owner, isGone }, { flags }) => {
    const who = describeOwner(owner);
    const unlock = `trove state unlock${flags}`;
    if (!owner) return [`held by ${who}`, `if no run is going on: trove state unlock --force${flags}`];
    return isGone
      ? [`left behind by ${who}, which has ended`, `the next run takes it over; or now: ${unlock}`]
      : [`held by ${who}`, `wait for that run to end; if it is gone for good: ${unlock}`];
  },

  state: ({ serial, lineage, ...has }) => [`${countWords(has)}; serial ${serial} of lineage ${lineage}`],
  'state-begins': ({ path }) => [`${path}: none yet; the first apply begins it`],
  'no-state': ({ path }, subject) => {
    const [, ...remedies] = guardWords({ code: 'no-state' }, subject);
    return [`${path} does not exist, so every record would be created anew`, ...remedies];
  },
  'older-state': ({ serial, newest }, subject) =>
    guardWords({ code: 'older-state', serial, newest }, subject),
  recovering: (has, { flags }) => [
    `${countWords(has)}; it was lost, and its recovery is not finished`,
    `what is still to be found: trove plan${flags}`,
  ],
  partial: ({ by, ...has }, { flags }) => [
    `${countWords(has)}; begun by ${by === 'import' ? 'an import' : 'a probe'}, so what it does not know may exist`,
    `if the team is new: trove apply${flags} --new-environment`,
    `if its state was lost: trove apply${flags} --recover`,
    `or name the ids of what it has: trove import${flags} --file FILE`,
  ],

  'empty-journal': () => ['nothing is left of an interrupted run'],
  'journal-of-run': ({ entries }) => [`${pluralize(entries, 'entry')} of the run that has the lock`],
  'journal-left': ({ entries }, { flags }) => [
    `an interrupted run left ${pluralize(entries, 'entry')} that the state does not have yet`,
    `the next run takes ${entries === 1 ? 'it' : 'them'} in: trove apply${flags}`,
  ],

  'none-wait': ({ of }) => [recordWords[of].none],
  wait: ({ of, count, isRunning }, { flags }) => [
    `${recordWords[of].some(count)}${isRunning ? ', and a run is under way that may see it yet' : ''}`,
    `${recordWords[of].remedy}${flags}`,
  ],
  'nothing-recorded': () => ['nothing is recorded yet'],

  'known-profile': () => ['what the embedded service does is known'],
  profile: ({ points, untold }) => [
    untold === 0 ? `all ${points} points are set` : 'every point that can be told is set',
  ],
  'unset-points': ({ unset, points, isFirst, file }, { environmentName, flags }) => {
    const are = unset === 1 ? 'is not set; what would need it' : 'are not set; what would need them';
    const [ifNew, first] = isFirst ? [', if the team is new', ' --new-environment'] : ['', ''];
    return [
      `${unset} of ${pluralize(points, 'point')} ${are} is blocked`,
      `to find out by experiment${ifNew}: trove probe${flags}${first}`,
      `or set what is known below \`profile\` in ${fileWords(file, environmentName)} (docs/profile.md)`,
    ];
  },

  ignored: () => ['ignores journal and lock of the state'],
  'not-ignored': () => [
    'does not ignore journal and lock of the state, which belong to this machine',
    'add the lines *.journal and *.lock to .gitignore',
  ],
  'no-git': () => ['the catalog is in no git checkout, or git is not installed'],
};

const recordWords: Readonly<
  Record<RecordCheck, { none: string; some: (count: number) => string; remedy: string }>
> = {
  unknown: {
    none: 'the outcome of every create was seen',
    some: (count) => `the outcome of ${pluralize(count, 'create')} was not seen`,
    remedy: 'to see them and what each asks for: trove resolve',
  },
  unconfirmed: {
    none: 'every update was answered',
    some: (count) => `${pluralize(count, 'update')} may or may not have been taken`,
    remedy: 'to send the records again as declared: trove apply',
  },
  imported: {
    none: 'no imported id waits to be confirmed',
    some: (count) => `no answer has confirmed ${pluralize(count, 'imported id')} yet`,
    remedy: 'the next apply writes to each and sees: trove apply',
  },
  diverged: {
    none: 'the service took every value that it was sent',
    some: (count) => `of ${pluralize(count, 'record')} the service made something else than it was sent`,
    remedy: 'to see both values: trove plan',
  },
};

function guardWords(guard: Parameters<typeof explainGuard>[0], { environmentName, flags }: Subject): Words {
  const { reason, remedies } = explainGuard(guard, environmentName, flags);
  return [reason, ...remedies];
}

function subjects(problems: Found['unusable-credentials']['problems']): string {
  return [...new Set(problems.map(({ subject }) => subject))].join(' and ');
}

/** Every environment but `local` has a file. */
function fileWords(file: string | undefined, environment: string): string {
  return file ?? `the file of environment ${environment}`;
}

function countWords({ path, counts }: Found['recovering']): string {
  const others = (['retired', 'imported'] as const).filter((status) => counts[status] > 0);
  const all = [pluralize(counts.live, 'record'), ...others.map((status) => `${counts[status]} ${status}`)];
  return `${path}: ${all.join(', ')}`;
}
