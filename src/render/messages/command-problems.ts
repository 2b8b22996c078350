import type { CommandProblems } from '../../text/diagnostic.ts';
import { nearest } from '../../text/nearest.ts';
import { quoted } from '../words.ts';
import { environmentProblems } from './environment-problems.ts';
import { notStarted } from './plan-problems.ts';
import { catalogFlags, type Sentences, systemReason } from './sentences.ts';

/** What a command can't do with what it was given. */
export const commandProblems = {
  'beyond-loopback': ({ host }) => [
    `${host} is reachable from other machines, and passwords would arrive in plain text`,
    'omit --host, or allow it with --allow-remote',
  ],
  'catalog-exists': ({ catalog }) => {
    const flags = catalogFlags(catalog);
    return ['a catalog already exists here', `it was not changed; to check it: trove validate${flags}`];
  },
  'credentials-in-argument': {
    assignment: ({ variable }) => [
      `an argument assigns \`${variable}\` a value, which is not repeated here`,
      `variables go before the command: ${variable}=... trove ...`,
    ],
    url: ({ place }) => [
      `${place === 'argument' ? 'an argument' : place} contains a URL with a password, which is not repeated here`,
      'credentials come from the variables that the environment names, or from --password-stdin',
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
          `the embedded service has neither an address nor credentials, but ${found.flags.join(', ')} was given`,
          'leave it out, or name a service with --base-url',
        ],
  'environment-exists': () => [
    'the file already exists',
    'choose another name or remove the file; nothing was written',
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
    'base-url': ({ problem }) => environmentProblems['base-url'][problem.why](),
    id: () => ['an ID has 1 to 191 characters on one line', 'as the service answers it'],
    variable: () => [
      'this is not the name of a variable: upper-case letters, digits and _, not beginning with a digit',
      'give the name of the variable, not its value',
    ],
  },
  'missing-settings': ({ missing }) => [
    `without a terminal, give ${missing.map((each) => required[each].name).join(' and ')}`,
    `add ${missing.map((each) => required[each].flag).join(' ')}`,
  ],
  'no-database': () => ['the service needs a file for its database', 'name one with --db FILE'],
  'no-user': ({ environment }) => [
    `environment ${environment} has no userId`,
    'trove spaces USER_ID, or set `userId` in the environment file',
  ],
  'not-copied': ({ environment }) => [
    `the file of environment ${quoted(environment)} can't be copied`,
    'it has an anchor in a part that is left out; write the value out, or omit --from',
  ],
  'not-formatted': () => [
    'this file was not changed: formatting would change its meaning',
    'usual causes: an anchor that is used above its place in the key order, or a comment in brackets',
  ],
  'not-in-catalog': ({ catalog }) => [
    'there is no catalog or environment file here',
    `only files in the catalog are formatted: ${catalog}; choose another with --catalog`,
  ],
  'nothing-to-copy': ({ name }, flags) => [
    'the environment `local` has no file to copy',
    `to create a similar one: trove env add ${name}${flags} --service embedded`,
  ],
  'one-environment': {
    several: ({ environments }) => [
      `this command takes one environment, but ${environments.length} were given: ${environments.join(', ')}`,
      'name one with -e',
    ],
    arguments: ({ environments }) => [
      `-e names ${environments.join(', ')}, and this command takes its environments as arguments`,
      'omit -e; see trove env --help',
    ],
  },
  'output-in-catalog': () => ["outputs can't be written into the catalog", 'choose a file outside it'],
  'output-without-file': ({ format }) => [
    `--format ${format}= names no file`,
    `name one: --format ${format}=FILE; or omit the = for standard output`,
  ],
  'page-without-file': () => ['an HTML page needs a file', 'name one: --format html=plan.html'],
  'port-in-use': ({ host, port }) => [
    `${host}:${port} is in use by another program`,
    'choose another port with --port (0 picks a free one), or stop that program',
  ],
  'same-environment': ({ environment }, flags) => [
    `both sides are environment ${environment}`,
    `name two; to see them all: trove env list${flags}`,
  ],
  'same-state': ({ environment }) => [
    `environment ${environment} already keeps its state there`,
    `choose another name, or give environment ${environment} another \`state.path\``,
  ],
  'same-team': ({ environment }, flags) => [
    `environment ${environment} already has this team and service, and a second one would create everything again`,
    `trove plan${flags} -e ${environment}, or give another --team-id`,
  ],
  serve: ({ said }) => [`the service could not be started: ${said}`],
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
    return [`the ${what === 'output' ? 'file' : 'summary of the step'} could not be written: ${reason}`];
  },
  'yes-or-no': () => ['Answer yes or no.'],
} satisfies Sentences<keyof CommandProblems>;

const required = {
  'base-url': { name: 'the base URL of the service', flag: '--base-url URL' },
  'team-id': { name: 'the id of the team', flag: '--team-id ID' },
} as const;
