import type {
  InvalidState,
  JournalMismatch,
  Problems,
  StateProblems,
  StorageAction,
} from '../../text/diagnostic.ts';
import { fewOf, pluralize, quotedForShell } from '../words.ts';
import { backendProblems } from './backend-problems.ts';
import { list, type Sentence, type Sentences, systemReason, type Table, wordsFor } from './sentences.ts';

const RESTORE =
  "restore its last good version (from git, if it is committed; if it is on a branch of its own, see Trove's docs/state.md)";
const UNCHANGED = 'nothing was overwritten; make a new plan and run again';
const NOT_SAVED =
  'nothing was overwritten; a journal beside the state contains what this run recorded: restore the state that the run ' +
  'started from (git may have it), and the next run replays the journal';

/** What is wrong with a state, its lock or its journal. */
export const stateProblems = {
  ...backendProblems,
  'journal-contradiction': {
    invalid: (flaw) => notReplayed(formWords(flaw)),
    'impossible-event': ({ said }) => notReplayed(said),
  },
  'impossible-event': ({ said }) => [said],
  'journal-closed': () => ['the journal is closed'],
  'journal-damaged': ({ line }) => [
    `line ${line} of the journal is damaged, and it may contain IDs that exist nowhere else`,
    'restore the file from a backup; if there is none, keep a copy, remove the damaged line, and check in the ' +
      'service which records it may have named',
  ],
  'journal-elsewhere': ({ path, place, isNext, serial, ids }) => [
    `a run of this state left its journal elsewhere: ${path}${naming(ids)}`,
    `once that run has ended, ${
      isNext
        ? `move it to where this state expects it; the next run replays it: mv -n ${quotedForShell(path)} ${quotedForShell(place)}`
        : `restore the state that it continues (serial ${serial}, perhaps in git), with the journal next to it; if ` +
          'this state already contains everything in it, move it out of the catalog'
    }`,
  ],
  'journal-format-newer': (formats) => otherFormat('journal', 'a newer', formats),
  'journal-format-older': (formats) => otherFormat('journal', 'an older', formats),
  'journal-full': () => ['the journal is too large: the responses are far larger than records'],
  'journal-mismatch': ({ ids, ...mismatch }, flags) => [
    `${wordsFor(journalMismatches, mismatch.why, mismatch)}${naming(ids)}`,
    `put back the state that it continues (git may have it), which replays the journal: trove state push FILE${flags}; ` +
      'if that state is lost, keep the journal: it may be the only place with these IDs',
  ],
  'journal-not-durable': (cause) => [`the journal could not be written to disk: ${systemReason(cause)}`],
  'journal-replaced': () => ['another process removed or replaced the journal'],
  'state-changed': ({ expected, found, isSaving }) => [
    `the state was changed by another process: ${
      found === expected
        ? `it has the same serial (${found}) but different contents, as on another branch`
        : `its serial is ${found}, and this run started with ${expected}`
    }`,
    isSaving ? NOT_SAVED : UNCHANGED,
  ],
  'state-format-newer': (formats) => otherFormat('state', 'a newer', formats),
  'state-format-older': (formats) => otherFormat('state', 'an older', formats),
  'state-invalid': (flaw) => [formWords(flaw), `${RESTORE}; don't edit it by hand`],
  'state-lock-lost': () => [
    'the lock of the state was removed while this run held it',
    'find out who removed the lock, and whether another run has written since; if a journal is beside the state, it ' +
      'has what this run recorded before that',
  ],
  'state-moved': ({ before, now }) => [
    `the state was moved during this run: its path now leads to ${now}, and not to ${before}`,
    `what this run recorded and could not save is in ${before}.journal; move the state back, or move that journal to ` +
      `${now}.journal, and run again: the next run replays it`,
  ],
  'state-not-json': {
    'not-utf8': () => ['the state is not UTF-8 text', RESTORE],
    'merge-conflict': (_, flags) => [
      'the state is not valid JSON: it contains conflict markers from an unfinished git merge',
      `finish the merge: keep one side entirely, then import the IDs that only the other side has: trove import ADDRESS ID${flags}`,
    ],
    syntax: ({ position, line, column }) => {
      const exact = line === undefined ? '' : ` (line ${line} column ${column})`;
      const place =
        position === undefined
          ? 'it is truncated, or it is not a state'
          : `the syntax error is at position ${position}${exact}`;
      return [`the state is not valid JSON: ${place}`, RESTORE];
    },
  },
  'state-of-another-target': ({ recorded, named }) => [
    `the state was recorded for ${teamWords(recorded)}, but the environment names ${teamWords(named)}`,
    'give this environment its own state path, or restore its baseUrl and teamId; nothing was sent',
  ],
  'state-storage': ({ action, ...cause }) => [
    `${failedActions[action]}: ${systemReason(cause)}`,
    'fix that and run the command again',
  ],
  'state-too-large': ({ maxBytes }, flags) => [
    `the state would be larger than ${maxBytes / 2 ** 20} MiB`,
    'nothing is lost: the state is unchanged, and the journal beside it contains what was recorded since; records this ' +
      `large are a mistake: find them with trove state list${flags}, and remove them with trove state forget ADDRESS${flags}`,
  ],
} satisfies Sentences<keyof StateProblems>;

const failedActions: Readonly<Record<StorageAction, string>> = {
  'change-lock': 'the lock of the state could not be changed',
  'read-journal': 'the journal could not be read',
  'read-lock': 'the lock of the state could not be read',
  'read-other-journal': 'a journal could not be read',
  'read-state': 'the state could not be read',
  'release-lock': 'the lock could not be released',
  'remove-journal': 'the journal could not be removed',
  'write-state': 'the state could not be written',
};

type Formats = Problems['state-format-newer'];

function otherFormat(file: string, age: 'a newer' | 'an older', { found, known }: Formats): Sentence {
  return [
    `the ${file} was written by ${age} version of Trove in format ${found}; this version reads format ${known}`,
    `use the version of Trove that wrote it${age === 'a newer' ? ', or a later one' : ''}`,
  ];
}

function notReplayed(why: string): Sentence {
  return [
    `the journal can't be replayed: ${why}`,
    'keep a copy of both files and report this: it should not be possible',
  ];
}

const journalMismatches: Table<JournalMismatch, 'why', string> = {
  'state-missing': ({ journal }) =>
    `an interrupted run left a journal that continues serial ${journal}, but the state is missing`,
  'other-lineage': () => 'the journal beside the state belongs to another state: their lineages differ',
  'later-state': ({ journal, state }) =>
    `the journal beside the state continues a later version of it: serial ${journal}, and the state has ${state}`,
  'other-target': () => 'the journal and the state have different targets',
  'other-contents': ({ state }) =>
    `the journal continues another version of serial ${state}: the contents differ`,
  'not-taken-in': ({ journal, state }) =>
    `the journal continues serial ${journal}, and the state, with serial ${state}, does not contain all of it: another version replaced the state`,
};

function naming(ids: Problems['journal-mismatch']['ids']): string {
  const named = ids.map(({ address, id }) => `${address} ${JSON.stringify(id)}`);
  return ids.length > 0 ? `; it records ${list(fewOf(named, 5))}` : '';
}

function formWords(invalid: InvalidState): string {
  return `the state is not valid: ${wordsFor(flaws, invalid.flaw, invalid)}`;
}

const flaws: Table<InvalidState, 'flaw', string> = {
  schema: ({ place, said = 'it has the wrong format', about, more }) => {
    const named = about === undefined ? '' : ` (${JSON.stringify(about)})`;
    const others = more > 0 ? `; ${pluralize(more, 'more problem')} of this kind` : '';
    return `at ${place || 'the top level'}: ${said}${named}${others}`;
  },
  'unusable-id': ({ address, id }) => `${address} has the ID ${JSON.stringify(id)}, which no record can have`,
  'too-much': ({ levels, values }) =>
    `it has more than ${values} values, or a value is nested more than ${levels} levels deep`,
  'repeated-entry': ({ address, status }) => `${address} has two entries that are ${status}`,
  'repeated-id': ({ addresses, id }) => `${addresses.join(' and ')} have the same ID ${JSON.stringify(id)}`,
};

function teamWords({ baseUrl, teamId }: Problems['state-of-another-target']['named']): string {
  return `team ${JSON.stringify(teamId)} at ${baseUrl}`;
}
