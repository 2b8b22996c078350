import type { EnvironmentProblems } from '../../text/diagnostic.ts';
import { fewOf, quoted } from '../words.ts';
import { didYouMean, list, namesIn, type Sentences } from './sentences.ts';

const example = 'for example https://game.example/api';

/** What is wrong with the file of an environment, with its variables, and with what it makes of the catalog. */
export const environmentProblems = {
  'base-url': {
    'not-http': () => ['`baseUrl` must be an http or https URL', example],
    credentials: () => ['`baseUrl` must not contain credentials', 'name their variables under `credentials`'],
    query: () => ['`baseUrl` must not have a query or a fragment', example],
    path: () => ['the last path segment of `baseUrl` must be `api`', example],
    'plain-http': () => [
      '`baseUrl` would send credentials over plain http to another machine',
      'use https, or allow it with `allowInsecureHttp: true`',
    ],
  },
  'credential-variable': ({ field, prefix }) => [
    `${quoted(field)} can't name a variable that begins with ${prefix}: catalogs may use those, and plans show them`,
    'use another name, for example STAGING_PASSWORD',
  ],
  'environment-name': ({ name }) =>
    name === 'local'
      ? [
          'the environment `local` is built in',
          'choose another name; env add --service embedded creates a similar one',
        ]
      : [
          `${quoted(name)} is not a valid environment name`,
          name.includes(',')
            ? 'to name several environments, repeat the flag: -e staging -e qa'
            : 'use lowercase letters and digits, in words joined by - or _',
        ],
  'invalid-credentials': {
    username: ({ variable }) => [`the value of ${variable} contains a colon or a control character`],
    password: ({ variable }) => [
      `the value of ${variable} contains a control character, such as a line break at its end`,
    ],
    empty: ({ part }) => [`a ${part} is required`],
    'too-long': ({ variable, most }) => [`the value of ${variable} contains more than ${most} characters`],
    'input-too-long': () => ['the password on standard input is longer than 16 KiB'],
    'input-not-text': () => ['the password on standard input is not UTF-8 text'],
  },
  'left-out': {
    overridden: ({ kind, key }) => [
      `this override has no effect: \`only\` excludes ${kind} ${quoted(key)}`,
      `remove this override, or add ${quoted(`${kind}.${key}`)} to \`only\``,
    ],
    assigned: ({ item, classifier, more }) => {
      const others = more === 0 ? '' : ` and ${more} more`;
      return [
        `\`only\` includes ${quoted(item)}${others} but not ${quoted(classifier)}, which ${more === 0 ? 'it uses' : 'they use'}`,
        `add ${quoted(classifier)} to \`only\``,
      ];
    },
  },
  'matches-nothing': ({ pattern, known }) => [
    `nothing in the catalog matches ${quoted(pattern)}`,
    didYouMean(pattern, namesIn(known)) ??
      'an address is `classifier.KEY` or `item.KEY`, and `*` matches any characters',
  ],
  'missing-credentials': ({ variable, part, environment }) => [
    `the variable ${variable} is not set or empty; it holds the ${part} for environment ${environment}`,
    `set ${variable}, or name another variable under \`credentials\` in the environment file`,
  ],
  'nothing-to-take': ({ item, attribute }) => [
    `item ${quoted(item)} has no ${quoted(attribute)} in the catalog to remove`,
    'remove this line',
  ],
  'one-service': ({ isBoth }) => [
    isBoth ? 'an environment has `baseUrl` or `service`, not both' : 'the environment has no service',
    'add a `baseUrl` such as https://game.example/api, or `service: embedded`',
  ],
  'shared-team': ({ environment, first }) => [
    `${quoted(environment)} has the same team as ${quoted(first)}: with two states its records would be created twice`,
    'use one environment file per team: remove one, or correct its team',
  ],
  'state-bucket-missing': () => [
    'backend s3 needs `state.bucket`',
    'add the name of the bucket, for example my-team-states',
  ],
  'state-setting': ({ setting, backend, known }) => [
    `\`state.${setting}\` is not a setting of backend ${backend}`,
    `remove it, or choose another \`state.backend\`; this one has ${list(known)}`,
  ],
  'state-path': ({ why }) => [`\`state.path\` must ${statePath[why]}`, 'for example state/staging.json'],
  'unbound-attribute': ({ attribute, environments }) => {
    const [name] = environments;
    const isOne = environments.length === 1;
    return [
      `attribute ${quoted(attribute)} has no ID in ${isOne ? `environment ${name}` : `the environments ${list(fewOf(environments, 5))}`}`,
      `add \`${attribute}: ID\` below \`attributes:\` in ${isOne ? `the file of environment ${name}` : 'each of their files'}`,
    ];
  },
  'unknown-environment': ({ name, isPattern, isLocal, known }, flags) => {
    const letters = isPattern ? name.replaceAll(/[^a-z0-9_-]/g, '') : name;
    const listed = known.length > 0 ? `known: ${known.join(', ')}` : 'there is none yet';
    const howTo = `${listed}; to add one: trove env add NAME${flags.replace(/ -e .*$/, '')}`;
    return [
      isPattern ? `no environment matches ${quoted(name)}` : `no such environment: ${quoted(name)}`,
      [didYouMean(letters, known), isLocal && 'a pattern never matches `local`;', howTo]
        .filter(Boolean)
        .join(' '),
    ];
  },
  'unset-variable': ({ variable, isEmpty, count }) => [
    `the variable ${quoted(variable)} is ${isEmpty ? 'empty' : 'not set'}`,
    `export ${variable}=VALUE before this command${timesUsed(count)}`,
  ],
  'unusable-variable': ({ variable, holds, count }) => [
    `the value of ${quoted(variable)} contains ${holds === 'placeholder' ? '`${`' : 'a control character'}, so it is not used`,
    `check how it is set${timesUsed(count)}`,
  ],
} satisfies Sentences<keyof EnvironmentProblems>;

const statePath: Readonly<Record<EnvironmentProblems['state-path']['why'], string>> = {
  'control-character': 'not contain a control character',
  ending: 'end with .json',
  local: 'not be below .trove, which is for one machine',
  outside: 'be inside the catalog folder',
};

function timesUsed(count: number): string {
  return count > 1 ? `; it is used ${count} times` : '';
}
