import type { EnvironmentProblems } from '../../text/problems.ts';
import { quoted } from '../../text/quoted.ts';
import type { Sentences } from './sentences.ts';

/** What is wrong with the file of an environment, and with what it makes of the catalog. */
export const environmentProblems: Sentences<keyof EnvironmentProblems> = {
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
  'shared-team': ({ environment, first }) => [
    `${quoted(environment)} is the team of ${quoted(first)}: with two states its records would be made twice`,
    'one file is one team: remove one of them, or put its team right',
  ],
};
