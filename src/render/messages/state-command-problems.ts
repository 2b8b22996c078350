import type { Owner, Problems, StateCommandProblems } from '../../text/problems.ts';
import { quoted } from '../../text/quoted.ts';
import { escapeTerminal } from '../terminal.ts';
import { didYouMean, namesIn, olderThanNewest, type Sentence, type Sentences } from './sentences.ts';

/** What to do about a state that is not there yet. */
export const beginsLater = 'it begins with the first apply or import; if it is mislaid, put it back first';

/** What a command can't do with a state, or with what it should record. */
export const stateCommandProblems: Sentences<keyof StateCommandProblems> = {
  'address-taken': ({ from, to }, flags) => [
    `${to} is recorded already, so ${from} can't be moved there`,
    `what is recorded there: trove state show ${to}${flags}`,
  ],
  locked: lockedSentence,
  'lost-id': ({ address, id }) => [
    id === null
      ? `the pending create of ${address} is not in it, and would be forgotten`
      : `${address} with the id ${id} is not in it, so the id would be lost`,
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
};

function lockedSentence(locked: Problems['locked'], flags: string): Sentence {
  const who = describeOwner(locked.owner);
  const unlock = `trove state unlock${flags}`;
  const anyway = `trove state unlock --force${flags}`;
  switch (locked.why) {
    case 'held':
      return [`the state is locked by ${who}`, `wait for that run to end; if it is gone for good: ${unlock}`];
    case 'running':
      return [
        `the lock is held by ${who}, which ${locked.isAlive ? 'is still' : 'may still be'} running`,
        `make sure that run has ended, then: ${anyway}`,
      ];
    case 'alive':
      return [
        `the run that holds the lock is alive on this machine: ${who}`,
        `stop that run first; to remove its lock all the same: ${anyway} --yes`,
      ];
    case 'taken':
      return [`another run has the lock now: ${who}`, `nothing was removed; to look again: ${unlock}`];
    case 'stepping': {
      const [is, first] = locked.isAlive
        ? ['is', 'look again in a moment, or stop that process first']
        : ['may be', 'make sure that process has ended, then'];
      return [
        `${who} ${is} in the middle of a step with the lock`,
        `nothing was removed; ${first}: ${unlock} --force`,
      ];
    }
  }
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
