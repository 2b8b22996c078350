import { type Address, kindOf } from '../../catalog/model.ts';
import type { PlanOptions } from '../../plan/options.ts';
import type { NotFindable, Reason } from '../../plan/reason.ts';
import { linesOf } from '../terminal.ts';
import { applyCommandFor, importCommand, type Table, type Tagged, wordsFor } from './sentences.ts';

/** What a change is about, and what printed commands need to mean its catalog and environment. */
export interface Subject {
  readonly address: Address;
  readonly flags: string;
  /** This run has the lock of the state, so no other is active. */
  readonly isLocked?: boolean;
  /** The options of the plan, if it was limited. */
  readonly asked?: Partial<PlanOptions>;
}

interface Commands extends Subject {
  /** The command that applies what was planned, with more options. */
  readonly apply: (more?: Partial<PlanOptions>) => string;
}

/**
 * What is true now, undefined if the change says it all; then what to do about it, one step each, the likeliest first,
 * commands as typed.
 */
type Words = readonly [sentence: string | undefined, ...remedies: readonly string[]];

export function explainReason(reason: { readonly code: string }, subject: Subject): Words {
  const apply = (more?: Partial<PlanOptions>) => applyCommandFor(subject.flags, subject.asked, more);
  // It may be what came of an apply; and one of a newer version may stand in a file.
  return Object.hasOwn(words, reason.code)
    ? wordsFor(words, reason.code, reason, { ...subject, apply })
    : [undefined];
}

const words: Table<Reason, 'code', Words, [commands: Commands]> = {
  // An update can't carry the difference. What to declare instead, what to set if the service goes beyond its document.
  'thumbnail-removal': (reason, subject) => [
    'a thumbnail can be replaced but not removed: the API documents no way to clear it (API section 4.2)',
    'set another thumbnail, or omit `thumbnail` so that Trove does not manage it',
    ...settingOr(reason, subject, 'once the service owner names a way'),
  ],
  'attribute-removal': (reason, subject) => [
    `an attribute range can't be removed: ${mergedOr('attributes', reason.isMerged)}`,
    'declare the range again',
    ...settingOr(reason, subject, 'if the service does so', ': replace'),
  ],
  'assignment-change': (reason, subject) => [
    "assignments of an existing item can't be changed: the API doesn't document the format of `classifierOptionIds` in updates (API section 4.2)",
    LEAVE_ASSIGNMENTS,
    ...settingOr(reason, subject, 'to the format that the service accepts'),
  ],
  'assignment-removal': (reason, subject) => [
    `an assignment can't be removed: ${mergedOr('assignments', reason.isMerged)}`,
    'assign the option again',
    LEAVE_ASSIGNMENTS,
    ...settingOr(reason, subject, 'if the service does so', ': replace'),
  ],
  'option-change': (reason, subject) => [
    "the options of an existing classifier can't be changed: the API documents only `name` for updates (API section 4.4)",
    'undo the change in the catalog',
    'add `lifecycle: { ignoreChanges: [options] }` to the classifier',
    ...settingOr(reason, subject, 'if the service accepts options in updates'),
  ],
  'option-merge': ({ of }, { apply }) => [
    "the service merges options by name, so one can't be renamed or removed",
    'restore the option',
    replaceIt(of, apply),
  ],
  'option-name-in-use': ({ name, of }, { apply }) => [
    `another remaining option has the name ${JSON.stringify(name)}, and the service identifies options by name`,
    'give it another name',
    'restore the other option under its key',
    replaceIt(of, apply),
  ],
  'option-assigned': ({ item, option, isSeen, isRenamed, of }, { apply }) => [
    `${item}${isSeen ? ' has' : ', whose assignments are not confirmed, may have'} ${option}, and would lose it${isRenamed ? ': if updates replace options, a renamed option is a new one' : ''}`,
    ...(isRenamed
      ? [
          'restore the name',
          'declare the new name under its own key, assign that option, and remove this one later',
        ]
      : ['restore the option', 'assign another option or none, apply, and plan again']),
    replaceIt(of, apply),
  ],
  'option-without-id': ({ option, of }, { apply }) => [
    `option ${option} has no ID: no response of ${of} had one for it, and the API documents no way to add one (API section 4.4)`,
    'assign an option that exists',
    `if the service has it, get a new response: ${apply({ reassert: [of] })}`,
    `create a second classifier, with all its options (the old one stays in the service): ${apply({ replace: [of] })}`,
  ],
  'option-unclear': ({ option, name }) => [
    `${option} is still the option ${JSON.stringify(name)}: its declared name belongs to another option and is not sent`,
    `restore the former key of the option ${JSON.stringify(name)}`,
    'assign another option',
  ],

  'create-unseen': ({ isProtected, ...unseen }, { address, flags, isLocked }) => [
    `its create was ${unseenWords(unseen)}${isProtected ? '; it would replace a record that is now protected, so it is not sent again' : ''}`,
    ...(unseen.cause === undefined && !isLocked
      ? [`if its run is still active, wait for it to end: trove doctor${flags}`]
      : []),
    `if the service has the record: trove resolve ${address}${flags} --id ID`,
    `if it does not: trove resolve ${address}${flags} --not-created`,
  ],
  'create-repeated': (unseen) => [
    `its create was ${unseenWords(unseen)}; resending the same ID creates no second record`,
  ],
  'update-unseen': (unseen) => [`an update was ${unseenWords(unseen)}`],
  'other-record': ({ id, answered, next }, { address, flags, apply }) => [
    `an update of record ${id} returned record ${answered}, and another update may create one more`,
    ...(next === 'resolve' ? [`first settle what may have created ${answered}: trove resolve${flags}`] : []),
    ...(next === 'import'
      ? [
          `if ${answered} is its record now: trove state forget ${address}${flags} && ${importCommand(address, answered, flags)}`,
        ]
      : []),
    `if the response was wrong, send the update again: ${apply({ reassert: [address] })}`,
  ],
  forgotten: ({ id, at, as }, { address, flags, apply }) => [
    `it ${as === undefined ? '' : `looks like ${as}, which `}was recorded as ${id} until it was forgotten at ${at}; creating it may duplicate the record`,
    `if the service has it: ${importCommand(address, id, flags)}`,
    `if it does not: ${apply({ confirmNew: [address] })}`,
  ],
  'id-held': ({ id, holder }, { address }) => [
    `its ID ${id} belongs to ${holder}, and one record can't be two resources`,
    `if it was renamed, add at the top level of a catalog file: \`moved: [{ from: ${holder}, to: ${address} }]\``,
    'otherwise give it another ID, or none',
  ],
  'id-declared': ({ id }) => [
    `its ID ${id} is declared, and a second record can't have it`,
    'give it another ID in the catalog, or none',
  ],
  replaced: ({ id, oldOptions }) => [
    `replaces record ${id}, which remains in the service and is retired${oldOptions === undefined ? '' : `; its items ${oldOptions === 'kept' ? 'keep' : 'may keep'} their old options beside the new ones`}`,
  ],
  protected: ({ against }, { apply }) => [
    `${against === 'replacement' ? 'replacing it would retire its record' : 'it is no longer declared'}, but it was declared with \`lifecycle: { protect: true }\``,
    'declare it as before',
    `or declare it with \`protect: false\`; apply that before you try again: ${apply()}`,
  ],
  imported: (reason) => [importSentence(reason)],
  'import-undeclared': (_reason, { address, flags }) => [
    'its ID was imported, but it is not declared, so nothing confirms the ID',
    'declare it',
    `or forget the ID: trove state forget ${address}${flags}`,
  ],
  'looked-for': ({ ifAbsent }) => [
    `looked for by derived ID, and ${ifAbsent === 'create' ? 'created only' : 'not created'} if it does not exist`,
  ],
  'may-exist': (_reason, commands) => ['it may exist', ...importIt(commands)],
  'not-findable': ({ why, canProbe }, commands) => [
    `it may exist, but Trove can't find it: ${whyNotFindable[why]}`,
    ...importIt(commands),
    ...(canProbe ? [probeIt(commands.flags)] : []),
    `if it does not: ${commands.apply({ recover: true, confirmNew: [commands.address] })}`,
  ],
  'possible-rename': (reason, { flags, apply }) => {
    const { from, to, former } = reason;
    const different = `if it is a different one${former === 'removed' ? ` (this retires ${from})` : ''}: ${apply({ confirmNew: [to] })}`;
    if (former === 'succeeded')
      return [
        `${to} is new and looks like record ${reason.id}, which ${from} had before ${reason.successor}: is it the same?`,
        `if so: trove state forget ${from}${flags} && ${importCommand(from, reason.successor, flags)} && ${importCommand(to, reason.id, flags)}`,
        different,
      ];
    return [
      possibleRename[former](from, to),
      ...(reason.isImported ? [`if so, first forget its imported ID: trove state forget ${to}${flags}`] : []),
      `if so, ${former === 'reused' ? `give what ${from} declares now another key, and ` : ''}add at the top level of a catalog file: \`moved: [{ from: ${from}, to: ${to} }]\``,
      different,
      ...(former === 'imported'
        ? [`if none of the new ones was renamed: ${apply({ confirmNew: 'all' })}`]
        : []),
    ];
  },
  'waits-for-classifiers': ({ classifiers }) => [
    `depends on ${classifiers.map(({ address, action }) => `${address} (${action})`).join(' and ')}`,
  ],
  'waits-for-update': ({ classifier, option }) => [
    `depends on the update of ${classifier}, which may give ${option} another ID: plan again afterwards`,
  ],
  redacted: ({ paths }) => [
    `an update must repeat ${paths.join(' and ')}, but the last response contained a credential there, so the value was not recorded`,
    `declare ${paths.join(' and ')}`,
  ],
  'not-taken': ({ canBeSent }, { address, apply }) => [
    undefined,
    'declare the value that the service stored',
    ...(canBeSent ? [`send it again: ${apply({ reassert: [address] })}`] : []),
  ],
};

const possibleRename: Record<
  Exclude<Tagged<Reason, 'code', 'possible-rename'>['former'], 'succeeded'>,
  (from: Address, to: Address) => string
> = {
  removed: (from, to) => `${from} is no longer declared, and ${to} is new and looks like it: was it renamed?`,
  reused: (from, to) =>
    `${from} now has another name, and ${to} is new and looks as ${from} did: was it renamed?`,
  // The same for everything new, so that many of them form one group.
  imported: (from) =>
    `it is new, and Trove has only the imported ID of ${from}, which is not declared: was it renamed?`,
};

const LEAVE_ASSIGNMENTS = 'add `lifecycle: { ignoreChanges: [classifiers] }` to the item';

/** What to set in the profile while that is open; and always, a new record can be whatever is declared. */
function settingOr(
  { point, isOpen, of }: { readonly point: string; readonly isOpen: boolean; readonly of: Address },
  { flags, apply }: Commands,
  when: string,
  value = '',
): readonly string[] {
  const setting = `set \`${point}${value}\` in the profile of the environment ${when}`;
  return [...(isOpen ? [setting, probeIt(flags)] : []), replaceIt(of, apply)];
}

function replaceIt(of: Address, apply: Commands['apply']): string {
  const items = kindOf(of) === 'classifier' ? ' and move its items to it' : '';
  return `create a second record${items} (the old one stays in the service): ${apply({ replace: [of] })}`;
}

/** Before a recovery has begun the state, nothing can be recorded. */
function importIt({ address, flags, asked, apply }: Commands): readonly string[] {
  const begin = asked?.recover ? [`first begin the recovery: ${apply()}`] : [];
  return [...begin, `if the service has it: trove import ${address} ID${flags}`];
}

function probeIt(flags: string): string {
  return `find out what the service does, with a few permanent test records: trove probe${flags}`;
}

function mergedOr(what: string, isMerged: boolean): string {
  return isMerged
    ? `an update merges ${what}`
    : `the API doesn't say whether an update replaces or merges ${what} (API section 4)`;
}

function unseenWords({ at, cause = 'no response is recorded' }: { at: string; cause?: string }) {
  return `sent at ${at}; the outcome is unknown: ${cause}`;
}

function importSentence({
  at,
  forced,
  mayCreate,
  mayClearThumbnail,
}: Tagged<Reason, 'code', 'imported'>): string {
  const they = forced.length === 1 ? 'it is' : 'they are';
  return linesOf(
    `its ID was imported at ${at} and is not confirmed yet`,
    forced.length > 0 &&
      `an update must contain ${forced.join(' and ')}, so ${they} sent as declared, although changes are ignored`,
    mayCreate && 'if no record has this ID, the service creates one',
    mayClearThumbnail &&
      "no thumbnail is sent, and the API doesn't say whether the current one is kept (API section 4)",
  ).join('; ');
}

const whyNotFindable: Record<NotFindable, string> = {
  'made-up-id': 'the service chose its ID',
  'ids-not-honored': 'the profile does not have `itemCreate.clientId: honoured`',
  moved: 'it was moved, and updating an unknown ID may create a record',
  'unproven-namespace':
    'updating an unknown ID may create a record, and no recorded ID confirms that `idNamespace` is unchanged (importing one derived ID does)',
};
