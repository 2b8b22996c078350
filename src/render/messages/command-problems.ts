import type { CommandProblems } from '../../text/diagnostic.ts';
import { nearest } from '../../text/nearest.ts';
import { pluralize, quoted } from '../words.ts';
import { environmentProblems } from './environment-problems.ts';
import { notStarted } from './plan-problems.ts';
import { catalogFlags, didYouMean, type Sentences, systemReason } from './sentences.ts';

/** What a command can't do with what it was given. */
export const commandProblems = {
  'beyond-loopback': ({ host }) => [
    `${host} is reachable from other machines, and passwords would be sent in plain text`,
    'omit --host, or allow it with --allow-remote',
  ],
  'catalog-exists': ({ catalog }) => {
    const flags = catalogFlags(catalog);
    return ['a catalog already exists here', `it was not changed; to check it: trove validate${flags}`];
  },
  'credentials-in-argument': {
    assignment: ({ variable }) => [
      `an argument assigns \`${variable}\` a value (omitted here)`,
      `set it before the command, out of the shell's history: read -rs ${variable} && export ${variable}`,
    ],
    url: ({ place }) => [
      `${place === 'argument' ? 'an argument' : place} contains a URL with a password (omitted here)`,
      'set the variables that the environment names, or use --password-stdin',
    ],
    password: () => [
      '--password-stdin is followed by a word that is neither a flag nor a file (omitted here)',
      'pipe the password: printenv NAME | trove ... --password-stdin',
    ],
  },
  'database-folder': (failure) => [
    `the database folder can't be created: ${systemReason(failure)}`,
    'choose another path with --db',
  ],
  'embedded-service': (found) =>
    'cause' in found
      ? notStarted(found)
      : [
          `the embedded service accepts no address or credentials, but ${found.flags.join(', ')} was given`,
          'omit it, or choose a service with --base-url',
        ],
  'environment-exists': () => [
    'the file already exists',
    'choose another name or remove the file; nothing was written',
  ],
  'environment-in-use': ({ environment, records }, flags) => [
    records === undefined
      ? `the state of environment ${environment} is missing or can't be read, so it may have records`
      : `environment ${environment} is in use: its state has ${pluralize(records, 'record')}${records === 0 ? ', but a lock or a journal is left' : ''}`,
    `nothing was removed; to remove only its file: trove env remove ${environment}${flags} --force`,
  ],
  'formats-collide': {
    'one-file': () => ['two outputs would go to one file', 'give each its own file'],
    'standard-output': ({ format }) => [
      'only one format can go to standard output',
      `give the others a file: --format ${format}=FILE`,
    ],
  },
  'invalid-events-file': {
    'no-event': ({ line }) => [`line ${line} is not an event that this version of Trove writes`],
    'second-apply': ({ line, environment }) => [
      `line ${line} starts a second apply of ${environment}; a file can contain one`,
      `to see the second: tail -n +${line} FILE > OTHER, and trove show OTHER`,
    ],
  },
  'invalid-fault': ({ said }) => [said],
  'invalid-setting': {
    'base-url': ({ problem }) => {
      const [message, hint] = environmentProblems['base-url'][problem.why]();
      return [message.replace('`baseUrl`', 'the base URL'), hint];
    },
    'no-team': () => ['a team ID is required'],
    id: () => ['an ID must have 1 to 191 characters on one line', 'use it exactly as the service returns it'],
    variable: () => [
      'not a variable name: use uppercase letters, digits and _, not beginning with a digit',
      'give the name of the variable, not its value',
    ],
  },
  'missing-settings': ({ missing }) => [
    `no terminal to prompt on: missing ${missing.map((each) => required[each].name).join(' and ')}`,
    `add ${missing.map((each) => required[each].flag).join(' ')}`,
  ],
  'no-database': () => ['missing database file', 'add --db FILE, or --local for what trove apply wrote'],
  'no-user': ({ environment }, flags) => [
    `environment ${environment} has no userId`,
    `set \`userId\` in the environment file, or run: trove spaces USER_ID${flags}`,
  ],
  'not-copied': ({ environment }) => [
    `the file of environment ${quoted(environment)} can't be copied`,
    'it uses an anchor from a part that is not copied; replace the alias with its value, or omit --from',
  ],
  'not-embedded': ({ environment }) => [
    `environment ${environment} does not use the embedded service`,
    'name one that does, such as -e local',
  ],
  'not-formatted': () => [
    'this file was not changed: formatting would change its meaning',
    'usual causes: sorting would place an alias above its anchor, or a comment in brackets',
  ],
  'not-in-catalog': ({ catalog }) => [
    'no catalog or environment file found here',
    `only files in the catalog are formatted: ${catalog}; choose another with --catalog`,
  ],
  'nothing-applied': (_, flags) => [
    'the embedded service has no data yet',
    `create it first: trove apply${flags}`,
  ],
  'nothing-to-copy': ({ name }, flags) => [
    'the environment `local` has no file to copy',
    `to create a similar one: trove env add ${name}${flags} --service embedded`,
  ],
  'nothing-to-remove': ({ environment }) => [
    `environment ${environment} has no file; there is nothing to remove`,
  ],
  'one-environment': {
    several: ({ environments }) => [
      `this command accepts one environment, but ${environments.length} were given: ${environments.join(', ')}`,
      'name one with -e',
    ],
    arguments: ({ environments }) => [
      `-e names ${environments.join(', ')}, but this command reads environments from its arguments`,
      'omit -e; see trove env --help',
    ],
  },
  'output-in-catalog': ({ folder }) => [
    `outputs can't be written into ${folder === 'catalog' ? 'the catalog' : folder}`,
    'choose a file outside it',
  ],
  'output-without-file': ({ format }) => [
    `--format ${format}= is missing a file`,
    `use --format ${format}=FILE, or omit the = for standard output`,
  ],
  'page-without-file': () => ['an HTML page needs a file', 'use --format html=plan.html'],
  'port-in-use': ({ host, port }) => [
    `${host}:${port} is in use by another program`,
    'choose another port with --port (0 picks a free one), or stop that program',
  ],
  'same-environment': ({ environment }, flags) => [
    `both sides are environment ${environment}`,
    `choose two different ones; to list all: trove env list${flags}`,
  ],
  'same-state': ({ environment }) => [
    `environment ${environment} already uses this state path`,
    `choose another name, or give environment ${environment} another \`state.path\``,
  ],
  'same-team': ({ environment }, flags) => [
    `environment ${environment} already has this team and service, and a second one would create everything again`,
    `use it: trove plan${flags} -e ${environment}; or choose another team with --team-id`,
  ],
  serve: ({ said }) => [`the service could not be started: ${said}`],
  'unknown-code': ({ code, known }) => [
    `unknown code ${quoted(code)}`,
    didYouMean(code, known) ?? 'list all codes: trove explain',
  ],
  'unknown-format': ({ format, known }) => {
    const hint = `use ${known.join(', ')}, or FORMAT=FILE, for example ${known.at(-1)}=FILE`;
    const meant = nearest(format, known);
    return [`unknown format \`${format}\``, meant ? `did you mean ${meant}? ${hint}` : hint];
  },
  'unwritable-file': ({ what, ...failure }) => {
    if (what === 'file') {
      const hint = 'fix that and run the command again';
      return [`the file could not be written: ${systemReason(failure)}`, hint];
    }
    const reason =
      failure.code === 'ENXIO' ? 'it is a pipe or a socket, and nothing reads from it' : failure.said;
    return [`the ${what === 'output' ? 'file' : 'step summary'} could not be written: ${reason}`];
  },
  'yes-or-no': () => ['Answer yes or no.'],
} satisfies Sentences<keyof CommandProblems>;

const required = {
  'base-url': { name: 'the base URL of the service', flag: '--base-url URL' },
  'team-id': { name: 'the team ID', flag: '--team-id ID' },
} as const;
