import type { ImportProblems, Owner, StateCommandProblems } from '../../text/diagnostic.ts';
import { escapeTerminal } from '../terminal.ts';
import { quoted } from '../words.ts';
import { didYouMean, namesIn, olderThanNewest, type Sentences } from './sentences.ts';

/** What to do about a state that is not there yet. */
export const beginsLater = 'it begins with the first apply or import; if it is mislaid, put it back first';

/** What a command can't do with a state, or with what it should record. */
export const stateCommandProblems = {
  'address-taken': ({ from, to }, flags) => [
    `${to} is recorded already, so ${from} can't be moved there`,
    `what is recorded there: trove state show ${to}${flags}`,
  ],
  locked: {
    held: ({ owner }, flags) => [
      `the state is locked by ${describeOwner(owner)}`,
      `wait for that run to end; if it is gone for good: ${unlock(flags)}`,
    ],
    running: ({ owner, isAlive }, flags) => [
      `the lock is held by ${describeOwner(owner)}, which ${isAlive ? 'is still' : 'may still be'} running`,
      `make sure that run has ended, then: ${unlock(` --force${flags}`)}`,
    ],
    alive: ({ owner }, flags) => [
      `the run that holds the lock is alive on this machine: ${describeOwner(owner)}`,
      `stop that run first; to remove its lock all the same: ${unlock(` --force${flags}`)} --yes`,
    ],
    taken: ({ owner }, flags) => [
      `another run has the lock now: ${describeOwner(owner)}`,
      `nothing was removed; to look again: ${unlock(flags)}`,
    ],
    stepping: ({ owner, isAlive }, flags) => {
      const first = isAlive
        ? 'look again in a moment, or stop that process first'
        : 'make sure that process has ended, then';
      return [
        `${describeOwner(owner)} ${isAlive ? 'is' : 'may be'} in the middle of a step with the lock`,
        `nothing was removed; ${first}: ${unlock(flags)} --force`,
      ];
    },
  },
  'lost-id': (loss) => [
    loss.what === 'id'
      ? `${loss.address} with the id ${loss.id} is not in it, so the id would be lost`
      : `the ${loss.what} of ${loss.address} whose outcome is unknown is not in it, and would be forgotten`,
    'put it into the file, or lose it on purpose with --force',
  ],
  'no-ids': (_, flags) => [
    'name an address with its id, or a file of them, and not both',
    `trove import${flags} ADDRESS ID, or trove import${flags} --file FILE`,
  ],
  'no-state': ({ environment }) => [`environment ${environment} has no state`, beginsLater],
  'not-an-address': ({ address, known }) =>
    known
      ? [
          `${quoted(address)} is no address`,
          didYouMean(address, namesIn(known)) ??
            'an address is item.KEY, classifier.KEY or classifier.KEY.OPTION',
        ]
      : ['this is no address of an item or a classifier', 'an address is a kind and a key: item.iron-sword'],
  'older-state': ({ than, serial, newest }, flags) =>
    than === 'recorded'
      ? [
          `it is older than the state: its serial is ${serial}, and the state has ${newest}`,
          beginWithRecorded(flags),
        ]
      : [
          olderThanNewest(serial, newest),
          `if the newer version is lost for good, copy this file to its place instead: trove apply${flags} --recover then looks for what it does not know; if it is right all the same, repeat this with --force`,
        ],
  'other-kind': ({ from, to }) => [
    `${from} can't become ${to}: an item stays an item, and a classifier a classifier`,
  ],
  'other-lineage': (_, flags) => [
    'it is the state of another history: the lineages differ',
    beginWithRecorded(flags),
  ],
  'pending-create': ({ address, wanted }, flags) =>
    wanted === undefined
      ? [
          `a create of ${quoted(address)} was sent, and nobody saw what became of it`,
          `say there what its id is: trove resolve ${address}${flags} --id ID`,
        ]
      : [
          'a create of it was sent, and nobody saw what became of it: that is not forgotten',
          `if the service does not have it: trove resolve ${address}${flags} --not-created`,
        ],
  'unknown-address': ({ address, known }, flags) => [
    'nothing is recorded of this address',
    didYouMean(address, known) ?? `all that is recorded: trove state list${flags}`,
  ],
} satisfies Sentences<keyof StateCommandProblems>;

function unlock(flags: string): string {
  return `trove state unlock${flags}`;
}

/** Who holds a lock, in one phrase: enough to find the process, or the person. */
export function describeOwner(owner: Owner | undefined): string {
  if (!owner) return 'somebody who left no name';
  const { who, operation, since, process: by } = owner;
  return escapeTerminal(`${who}, process ${by.pid}, trove ${operation} since ${since}`);
}

function beginWithRecorded(flags: string): string {
  return `begin with what is recorded now: trove state pull${flags}`;
}

const declareFirst = 'declare it first, so that it is known what the record should be';

/** What is wrong with the ids that a person names for an import. */
export const importProblems = {
  'held-id': {
    option: (held) => [isHeld(held), 'check the id'],
    pending: (held, flags) => [
      isHeld(held),
      `a create of ${quoted(held.holder)} has an unknown outcome: trove resolve ${held.holder}${flags} --id ID`,
    ],
    recorded: (held, flags) => [
      isHeld(held),
      `check the id; if it is the same record under a new key: trove state mv ${held.holder} ${held.address}${flags}`,
    ],
    resolving: ({ id, holder, address }) => [
      holder === address
        ? `${id} is a record that ${address} had before, so it is not what this create made`
        : `${id} is recorded as ${holder}, and one record can't be two resources`,
      'check the id; nothing was sent',
    ],
  },
  'import-file': {
    empty: () => ['no ids are named here'],
    ending: () => [
      "the ending of this file does not say what is in it, so it isn't read",
      'name it .yaml, .yml, .json or .csv, as its content is',
    ],
  },
  'import-form': {
    'no-id': () => ['no id stands here'],
    columns: () => [
      'one column has to be `address`, and one `id`',
      'the first row names the columns, with commas between them: address,id',
    ],
  },
  'option-alone': ({ classifier }) => [
    'the id of an option is imported together with that of its classifier',
    `in a file, name ${quoted(classifier)} as well`,
  ],
  'recorded-already': {
    'other-id': ({ address, resource, id }, flags) => [
      `${quoted(address)} is recorded already, with the id ${quoted(id)}`,
      `leave it out if that is right; if it is not, first: trove state forget ${resource}${flags}`,
    ],
    'no-option': ({ resource, option }, flags) => [
      `${quoted(resource)} is recorded already, and its answer had no id for option ${quoted(option)}`,
      `to import it with its options instead, first: trove state forget ${resource}${flags}`,
    ],
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
} satisfies Sentences<keyof ImportProblems>;

function isHeld({ id, holder, address }: ImportProblems['held-id']): string {
  return `${quoted(id)} is recorded as ${quoted(holder)}, and one record can't be ${quoted(address)} too`;
}
