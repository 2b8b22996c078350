import type { CommandProblems } from '../../text/diagnostic.ts';
import { nearest } from '../../text/nearest.ts';
import { quoted } from '../words.ts';
import { environmentProblems } from './environment-problems.ts';
import { notStarted } from './plan-problems.ts';
import { catalogFlags, type Sentences, systemReason } from './sentences.ts';

/** What a command can't do with what it was given. */
export const commandProblems = {
  'beyond-loopback': ({ host }) => [
    `other machines could reach ${host}, and passwords come to the service in plain text`,
    'leave out --host, or say --allow-remote if that is what you want',
  ],
  'catalog-exists': ({ catalog }) => {
    const flags = catalogFlags(catalog);
    return [
      'there is a catalog already',
      `it is left as it is; see what it declares: trove validate${flags}`,
    ];
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
    `the folder of the database can't be made: ${systemReason(failure)}`,
    'say with --db where the database file is to be',
  ],
  'embedded-service': (found) =>
    'cause' in found
      ? notStarted(found)
      : [
          `the embedded service has neither an address nor credentials, and ${found.flags.join(', ')} was given`,
          'leave it out, or name a service with --base-url',
        ],
  'environment-exists': () => [
    'there is a file already',
    'take another name, or remove the file first; nothing was written',
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
      `with line ${line} a second apply of ${environment} begins, and a file is shown of one`,
      `look at each by itself; the second: tail -n +${line} FILE > OTHER, and trove show OTHER`,
    ],
  },
  'invalid-fault': ({ said }) => [said],
  'invalid-setting': {
    'base-url': ({ problem }) => environmentProblems['base-url'][problem.why](),
    id: () => ['an id has 1 to 191 characters, on one line', 'as the service answers it'],
    variable: () => [
      'this is not the name of a variable: upper-case letters, digits and _, not beginning with a digit',
      'give the name of the variable, never the value that it holds',
    ],
  },
  'missing-settings': ({ missing }) => [
    `without a terminal nothing is asked, and ${missing.map((each) => required[each].name).join(' and ')} must be known`,
    `add ${missing.map((each) => required[each].flag).join(' ')}`,
  ],
  'no-database': () => ['the service needs a file for its database', 'say which with --db FILE'],
  'no-user': ({ environment }) => [
    `environment ${environment} names no user`,
    'trove spaces USER_ID, or set `userId` in the environment file',
  ],
  'not-copied': ({ environment }) => [
    `the file of environment ${quoted(environment)} is written in a way that can't be copied`,
    'an anchor stands in what has to go; write its value out, or leave --from out',
  ],
  'not-formatted': () => [
    'this file is left as it is: its form could not be changed without changing what it means',
    'most often an anchor is used above its place in the order of keys, or a comment stands in brackets',
  ],
  'not-in-catalog': ({ catalog }) => [
    'there is no catalog or environment file here',
    `only files of the catalog are formatted, which is ${catalog}; name another with --catalog`,
  ],
  'nothing-to-copy': ({ name }, flags) => [
    'the environment `local` has no file that could be copied',
    `to make one like it: trove env add ${name}${flags} --service embedded`,
  ],
  'one-environment': {
    several: ({ environments }) => [
      `this command takes one environment, and ${environments.length} were given: ${environments.join(', ')}`,
      'name one with -e',
    ],
    arguments: ({ environments }) => [
      `-e names ${environments.join(', ')}, and this command takes its environments as arguments`,
      'leave -e out; to see the arguments: trove env --help',
    ],
  },
  'output-in-catalog': () => ['outputs are not written into the catalog', 'name a file outside of it'],
  'output-without-file': ({ format }) => [
    `--format ${format}= names no file`,
    `name one: --format ${format}=FILE; or leave the = out for standard output`,
  ],
  'page-without-file': () => ['a page is written to a file', 'name it: --format html=plan.html'],
  'port-in-use': ({ host, port }) => [
    `${host}:${port} is in use by another program`,
    'name another port with --port (0 takes a free one), or stop the program that has this one',
  ],
  'same-environment': ({ environment }, flags) => [
    `both sides are environment ${environment}`,
    `name two; to see them all: trove env list${flags}`,
  ],
  'same-state': ({ environment }) => [
    `environment ${environment} keeps its state there already`,
    `take another name, or give environment ${environment} another \`state.path\``,
  ],
  'same-team': ({ environment }, flags) => [
    `environment ${environment} is this team on this service already, and a second one would create everything again`,
    `trove plan${flags} -e ${environment}, or give another --team-id`,
  ],
  serve: ({ said }) => [`the service could not be started: ${said}`],
  'unknown-format': ({ format, known }) => {
    const hint = `use ${known.join(', ')}, or --format ${known.at(-1)}=FILE and its like`;
    const meant = nearest(format, known);
    return [`there is no format \`${format}\` here`, meant ? `did you mean ${meant}? ${hint}` : hint];
  },
  'unwritable-file': ({ what, ...failure }) => {
    if (what === 'file') {
      const hint = 'put that right and run the command again';
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
