import type { ImportProblems, Problems } from '../../text/problems.ts';
import { quoted } from '../../text/quoted.ts';
import { didYouMean, namesIn, type Sentences } from './sentences.ts';

const declareFirst = 'declare it first, so that it is known what the record should be';

/** What is wrong with the ids that a person names for an import. */
export const importProblems: Sentences<keyof ImportProblems> = {
  'held-id': (held, flags) => {
    const { why, id, holder, address } = held;
    if (why !== 'resolving')
      return [
        `${quoted(id)} is recorded as ${quoted(holder)}, and one record can't be ${quoted(address)} too`,
        wayFromHolder(held, flags),
      ];
    return [
      holder === address
        ? `${id} is a record that ${address} had before, so it is not what this create made`
        : `${id} is recorded as ${holder}, and one record can't be two resources`,
      'check the id; nothing was sent',
    ];
  },
  'import-file': ({ why }) =>
    why === 'empty'
      ? ['no ids are named here']
      : [
          "the ending of this file does not say what is in it, so it isn't read",
          'name it .yaml, .yml, .json or .csv, as its content is',
        ],
  'import-form': ({ why }) =>
    why === 'no-id'
      ? ['no id stands here']
      : [
          'one column has to be `address`, and one `id`',
          'the first row names the columns, with commas between them: address,id',
        ],
  'option-alone': ({ classifier }) => [
    'the id of an option is imported together with that of its classifier',
    `in a file, name ${quoted(classifier)} as well`,
  ],
  'recorded-already': (recorded, flags) => {
    const forget = `first: trove state forget ${recorded.resource}${flags}`;
    return recorded.why === 'other-id'
      ? [
          `${quoted(recorded.address)} is recorded already, with the id ${quoted(recorded.id)}`,
          `leave it out if that is right; if it is not, ${forget}`,
        ]
      : [
          `${quoted(recorded.resource)} is recorded already, and its answer had no id for option ${quoted(recorded.option)}`,
          `to import it with its options instead, ${forget}`,
        ];
  },
  'repeated-address': ({ address }) => [`${quoted(address)} is named twice`],
  'repeated-id': ({ addresses }) => [
    `${addresses.map(quoted).join(' and ')} have one id, and one record can't be both`,
  ],
  undeclared: ({ resource, option, known }) =>
    option === undefined
      ? [
          `${quoted(resource)} is not declared in the catalog`,
          didYouMean(resource, namesIn(known)) ?? declareFirst,
        ]
      : [
          `option ${quoted(option)} is not declared in ${quoted(resource)}`,
          didYouMean(
            `${resource}.${option}`,
            namesIn(known).map((each) => `${resource}.${each}`),
          ) ?? declareFirst,
        ],
  'unusable-id': () => [
    "this can't be the id of a record",
    'an id has 1 to 191 characters, as the service answers it',
  ],
};

function wayFromHolder({ why, holder, address }: Problems['held-id'], flags: string): string {
  switch (why) {
    case 'pending':
      return `a create of ${quoted(holder)} has an unknown outcome: trove resolve ${holder}${flags} --id ID`;
    case 'recorded':
      return `check the id; if it is the same record under a new key: trove state mv ${holder} ${address}${flags}`;
    default:
      return 'check the id';
  }
}
