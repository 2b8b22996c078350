import type { EnvironmentProblems } from '../../text/problems.ts';
import { quoted } from '../../text/quoted.ts';
import type { Sentences } from './sentences.ts';

/** What is wrong with the file of an environment, and with what it makes of the catalog. */
export const environmentProblems: Sentences<keyof EnvironmentProblems> = {
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
  'left-out': ({ kind, key }) => [
    `this override changes nothing: \`only\` leaves ${kind} ${quoted(key)} out`,
    `remove this override, or add ${quoted(`${kind}.${key}`)} to \`only\``,
  ],
  'missing-property': ({ of, missing, item }) => [
    `${quoted(of)} needs ${missing.map(quoted).join(' and ')}: the catalog gives item ${quoted(item)} no such range`,
  ],
  'nothing-to-take': ({ item, attribute }) => [
    `item ${quoted(item)} has no ${quoted(attribute)} in the catalog that could be taken away`,
    'remove this line',
  ],
};
