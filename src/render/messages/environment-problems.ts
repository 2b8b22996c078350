import type { EnvironmentProblems } from '../../text/diagnostic.ts';
import { fewOf, quoted } from '../words.ts';
import { didYouMean, list, namesIn, type Sentences } from './sentences.ts';

const example = 'for example https://game.example/api';

/** What is wrong with the file of an environment, with its variables, and with what it makes of the catalog. */
export const environmentProblems = {
  'base-url': {
    'not-http': () => ['`baseUrl` must be an http or https URL', example],
    credentials: () => ['`baseUrl` must not hold credentials', 'name their variables under `credentials`'],
    query: () => ['`baseUrl` must not have a query or a fragment', example],
    path: () => ['the last path segment of `baseUrl` must be `api`', example],
    'plain-http': () => [
      '`baseUrl` would send credentials over plain http to another machine',
      'use https, or insist with `allowInsecureHttp: true`',
    ],
  },
  'credential-variable': ({ field, prefix }) => [
    `${quoted(field)} can't name a variable that begins with ${prefix}: catalogs may use those, and plans show them`,
    'use another name, for example STAGING_PASSWORD',
  ],
  'environment-name': ({ name }) =>
    name === 'local'
      ? [
          'the environment `local` is there without a file',
          'take another name; env add --service embedded makes another one like it',
        ]
      : [
          `${quoted(name)} can't be the name of an environment`,
          'names are lower-case letters and digits in words joined by - or _',
        ],
  'invalid-credentials': {
    username: ({ variable }) => [`the value of ${variable} contains a colon or a control character`],
    password: ({ variable }) => [
      `the value of ${variable} contains a control character, such as a line break at its end`,
    ],
    'too-long': ({ variable, most }) => [`the value of ${variable} contains more than ${most} characters`],
    'input-too-long': () => ['the password on standard input is longer than 16 KiB, which no password is'],
    'input-not-text': () => ['the password on standard input is not UTF-8 text'],
  },
  'left-out': {
    overridden: ({ kind, key }) => [
      `this override changes nothing: \`only\` leaves ${kind} ${quoted(key)} out`,
      `remove this override, or add ${quoted(`${kind}.${key}`)} to \`only\``,
    ],
    assigned: ({ item, classifier, more }) => {
      const others = more === 0 ? '' : `, and so ${more === 1 ? 'is 1' : `are ${more}`} more`;
      return [
        `\`only\` takes ${quoted(item)} and leaves out ${quoted(classifier)}, which it is assigned to${others}`,
        `add ${quoted(classifier)} to \`only\``,
      ];
    },
  },
  'matches-nothing': ({ pattern, known }) => [
    `nothing in the catalog matches ${quoted(pattern)}`,
    didYouMean(pattern, namesIn(known)) ??
      'an address is `classifier.KEY` or `item.KEY`, and `*` stands for any characters',
  ],
  'missing-credentials': ({ variable, part, environment }) => [
    `the variable ${variable} is not set; it holds the ${part} for environment ${environment}`,
    `set ${variable}, or name another variable under \`credentials\` in the environment file`,
  ],
  'nothing-to-take': ({ item, attribute }) => [
    `item ${quoted(item)} has no ${quoted(attribute)} in the catalog that could be taken away`,
    'remove this line',
  ],
  'one-service': ({ isBoth }) => [
    isBoth ? 'an environment has `baseUrl` or `service`, not both' : 'the environment names no service',
    'write a `baseUrl` such as https://game.example/api, or `service: embedded`',
  ],
  'shared-team': ({ environment, first }) => [
    `${quoted(environment)} is the team of ${quoted(first)}: with two states its records would be made twice`,
    'one file is one team: remove one of them, or put its team right',
  ],
  'state-path': ({ why }) => [`\`state.path\` must ${statePath[why]}`, 'for example state/staging.json'],
  'unbound-attribute': ({ attribute, environments }) => {
    const [name] = environments;
    const isOne = environments.length === 1;
    return [
      `attribute ${quoted(attribute)} has no id in ${isOne ? `environment ${name}` : `the environments ${list(fewOf(environments, 5))}`}`,
      `add \`${attribute}: ID\` below \`attributes:\` in ${isOne ? `the file of environment ${name}` : 'each of their files'}`,
    ];
  },
  'unknown-environment': ({ name, isPattern, known }) => {
    const letters = isPattern ? name.replaceAll(/[^a-z0-9_-]/g, '') : name;
    const listed = known.length > 0 ? `known are ${known.join(', ')}` : 'there is none yet';
    const howTo = `${listed}; a new one is a file environments/NAME.yaml in the catalog folder`;
    return [
      isPattern ? `no environment fits ${quoted(name)}` : `there is no environment ${quoted(name)}`,
      [didYouMean(letters, known), howTo].filter(Boolean).join(' '),
    ];
  },
  'unset-variable': ({ variable, isEmpty, count }) => [
    `the variable ${quoted(variable)} is ${isEmpty ? 'empty' : 'not set'}`,
    `export ${variable}=VALUE before this command${timesUsed(count)}`,
  ],
  'unusable-variable': ({ variable, holds, count }) => [
    `the value of ${quoted(variable)} holds ${holds === 'placeholder' ? '`${`' : 'a control character'}, so it is not filled in`,
    `look at how it is set${timesUsed(count)}`,
  ],
} satisfies Sentences<keyof EnvironmentProblems>;

const statePath: Readonly<Record<EnvironmentProblems['state-path']['why'], string>> = {
  'control-character': 'not hold a control character',
  ending: 'end with .json',
  outside: 'stay below the catalog folder',
};

function timesUsed(count: number): string {
  return count > 1 ? `; it is used ${count} times` : '';
}
