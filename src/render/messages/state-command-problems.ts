import type { ImportProblems, Owner, StateCommandProblems } from '../../text/diagnostic.ts';
import { escapeTerminal } from '../terminal.ts';
import { quoted, quotedForShell } from '../words.ts';
import { didYouMean, namesIn, olderThanNewest, type Sentences } from './sentences.ts';

/** What to do about a state that is not there yet. */
export const beginsLater = 'the first apply or import creates it; if it was lost, restore it first';

/** What a command can't do with a state, or with what it should record. */
export const stateCommandProblems = {
  'address-taken': ({ from, to }, flags) => [
    `${to} is already recorded, so ${from} can't be moved there`,
    `to see what is recorded there: trove state show ${to}${flags}`,
  ],
  locked: {
    held: ({ owner }, flags) => [
      `the state is locked by ${describeOwner(owner)}`,
      `wait for that run to end; if it was killed: ${unlock(` --force${flags}`)}`,
    ],
    running: ({ owner, isAlive }, flags) => [
      `the lock is held by ${describeOwner(owner)}, which ${isAlive ? 'is still' : 'may still be'} running`,
      `make sure that run has ended, then: ${unlock(` --force${flags}`)}`,
    ],
    alive: ({ owner }, flags) => [
      `the run that holds the lock is still running on this machine: ${describeOwner(owner)}`,
      `stop that run first; to remove its lock anyway: ${unlock(` --force${flags}`)} --yes`,
    ],
    taken: ({ owner }, flags) => [
      `another run now holds the lock: ${describeOwner(owner)}`,
      `nothing was removed; to check again: ${unlock(flags)}`,
    ],
    stepping: ({ owner, isAlive }, flags) => {
      const first = isAlive
        ? 'try again in a moment, or stop that process first'
        : 'make sure that process has ended, then';
      return [
        `${describeOwner(owner)} ${isAlive ? 'is' : 'may be'} changing the lock`,
        `nothing was removed; ${first}: ${unlock(flags)} --force`,
      ];
    },
  },
  'lost-id': (loss) => [
    loss.what === 'id'
      ? `it does not contain ${loss.address} with the ID ${loss.id}, which would be lost`
      : `it does not contain the pending ${loss.what} of ${loss.address}, which would be lost`,
    'add it to the file, or discard it with --force',
  ],
  'no-ids': (_, flags) => [
    'give either ADDRESS ID or --file FILE',
    `trove import${flags} ADDRESS ID, or trove import${flags} --file FILE`,
  ],
  'no-state': ({ environment }) => [`environment ${environment} has no state`, beginsLater],
  'not-an-address': ({ address, known }) =>
    known
      ? [
          `${quoted(address)} is not an address`,
          didYouMean(address, namesIn(known)) ??
            'an address is item.KEY, classifier.KEY or classifier.KEY.OPTION',
        ]
      : [
          'this is not the address of an item or a classifier',
          'an address is a kind and a key: item.iron-sword',
        ],
  'older-state': ({ than, serial, newest }, flags) =>
    than === 'recorded'
      ? [
          `the file is older than the state: its serial is ${serial}, and the state has ${newest}`,
          `${beginWithRecorded(flags)}; to go back to this file, repeat this with --force`,
        ]
      : [
          olderThanNewest(serial, newest),
          `if this version is right, repeat this with --force; if the newer version is lost, copy this file to the state path, then recover what is missing: trove apply${flags} --recover`,
        ],
  'other-kind': ({ from, to }) => [`${from} can't become ${to}: a resource must keep its kind`],
  'other-lineage': (_, flags) => [
    'it belongs to another state: the lineages differ',
    beginWithRecorded(flags),
  ],
  'pending-create': ({ address, wanted }, flags) =>
    wanted === undefined
      ? [
          `a create of ${quoted(address)} has an unknown outcome`,
          `to record its ID: trove resolve ${address}${flags} --id ID`,
        ]
      : [
          "its create has an unknown outcome and can't be forgotten",
          `if the service does not have it: trove resolve ${address}${flags} --not-created`,
        ],
  'unknown-address': ({ address, known }, flags) => [
    'nothing is recorded for this address',
    didYouMean(address, known) ?? `to list everything recorded: trove state list${flags}`,
  ],
} satisfies Sentences<keyof StateCommandProblems>;

function unlock(flags: string): string {
  return `trove state unlock${flags}`;
}

/** Who holds a lock, in one phrase: enough to find the process, or the person. */
export function describeOwner(owner: Owner | undefined): string {
  if (!owner) return 'an unknown process';
  const { who, operation, since, process: by } = owner;
  return escapeTerminal(`trove ${operation} of ${who} (process ${by.pid}, started ${since})`);
}

function beginWithRecorded(flags: string): string {
  return `start from the current state: trove state pull${flags}`;
}

const declareFirst = 'declare it first';

/** What is wrong with the ids that a person names for an import. */
export const importProblems = {
  'held-id': {
    option: (held) => [isHeld(held), 'check the ID'],
    pending: (held, flags) => [
      `${quoted(held.id)} is named by the pending create of ${quoted(held.holder)}, and may be its record`,
      `settle that first: trove resolve ${held.holder}${flags} --id ID`,
    ],
    recorded: (held, flags) => [
      isHeld(held),
      `check the ID; if it was renamed: trove state mv ${held.holder} ${held.address}${flags}`,
    ],
    resolving: ({ id, holder, address }) => [
      holder === address
        ? `${id} is a record that ${address} had before, so this create did not create it`
        : `${id} is recorded as ${holder}, and one record can't be two resources`,
      'check the ID; nothing was sent',
    ],
    'pending-too': ({ id, holder }, flags) => [
      `${id} fits the pending create of ${holder}, and one record can't be two resources`,
      `check the ID; nothing was sent. If it is that one: trove resolve ${holder}${flags} --id ${quotedForShell(id)}`,
    ],
  },
  'import-file': {
    empty: () => ['the file contains no IDs'],
    ending: () => ['unsupported file type', 'use a .yaml, .yml, .json or .csv file'],
  },
  'import-form': {
    'no-id': () => ['missing ID'],
    columns: () => [
      'the columns must include `address` and `id`',
      'name the columns in the first row, separated by commas: address,id',
    ],
  },
  'option-alone': ({ classifier }) => [
    'the ID of an option must be imported together with its classifier',
    `use --file, and include ${quoted(classifier)}`,
  ],
  'recorded-already': {
    'other-id': ({ address, resource, id }, flags) => [
      `${quoted(address)} is already recorded with the ID ${quoted(id)}`,
      `if that is right, omit it; otherwise first run: trove state forget ${resource}${flags}`,
    ],
    'no-option': ({ resource, option }, flags) => [
      `${quoted(resource)} is already recorded, and the response had no ID for option ${quoted(option)}`,
      `to import it with its options instead, first run: trove state forget ${resource}${flags}`,
    ],
  },
  'repeated-address': ({ address }) => [`${quoted(address)} is listed twice`],
  'repeated-id': ({ addresses }) => [
    `${addresses.map(quoted).join(' and ')} have the same ID, but one record can't be both`,
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
  'unusable-id': ({ isPlaceholder }) =>
    isPlaceholder
      ? ['not an ID but its placeholder', "replace ID with the record's ID"]
      : ['not a valid ID', 'an ID has 1 to 191 characters'],
} satisfies Sentences<keyof ImportProblems>;

function isHeld({ id, holder, address }: ImportProblems['held-id']): string {
  return `${quoted(id)} is recorded as ${quoted(holder)}, and one record can't be ${quoted(address)} too`;
}
