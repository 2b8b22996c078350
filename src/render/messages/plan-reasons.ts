import type { Address } from '../../catalog/model.ts';
import type { NotFindable, Reason } from '../../plan/reason.ts';
import { linesOf } from '../terminal.ts';
import { quotedForShell } from '../words.ts';
import { type Table, type Tagged, wordsFor } from './sentences.ts';

/** What a change is about, and what printed commands need to mean its catalog and environment. */
interface Subject {
  readonly address: Address;
  readonly flags: string;
}

/**
 * What is true now, undefined if the change says it all; then what to do about it, one step each, the likeliest first,
 * commands as typed.
 */
type Words = readonly [sentence: string | undefined, ...remedies: readonly string[]];

export function explainReason(reason: { readonly code: string }, subject: Subject): Words {
  // It may be what came of an apply; and one of a newer version may stand in a file.
  return Object.hasOwn(words, reason.code) ? wordsFor(words, reason.code, reason, subject) : [undefined];
}

const words: Table<Reason, 'code', Words, [subject: Subject]> = {
  // An update can't carry the difference. What to declare instead, what to set if the service goes beyond its document.
  'thumbnail-removal': (reason, { flags }) => [
    'a thumbnail can be replaced but not removed: section 4.2 types it as string and shows no way to clear it',
    'give it another thumbnail, or leave `thumbnail` out so that it is not managed',
    ...settingOr(reason, flags, 'once the owner of the service names a way'),
  ],
  'attribute-removal': (reason, { flags }) => [
    `an attribute range can't be removed: ${mergedOr('attributes', reason.isMerged)}`,
    'declare the range again',
    ...settingOr(reason, flags, 'if the service does so', ': replace'),
  ],
  'assignment-change': (reason, { flags }) => [
    "assignments of an existing item can't be changed: the API doesn't document the format of `classifierOptionIds` in updates (API section 4.2)",
    LEAVE_ASSIGNMENTS,
    ...settingOr(reason, flags, 'to the shape that the service takes'),
  ],
  'assignment-removal': (reason, { flags }) => [
    `an assignment can't be removed: ${mergedOr('assignments', reason.isMerged)}`,
    'assign the option again',
    LEAVE_ASSIGNMENTS,
    ...settingOr(reason, flags, 'if the service does so', ': replace'),
  ],
  'option-change': (reason, { flags }) => [
    "the options of an existing classifier can't be changed: the API documents only `name` for updates (API section 4.4)",
    'put the option back as it was',
    'add `lifecycle: { ignoreChanges: [options] }` to the classifier',
    ...settingOr(reason, flags, 'if the service takes options there'),
  ],
  'option-merge': ({ of }, { flags }) => [
    "the service merges options by name, so one can't be renamed or removed",
    'put the option back as it was',
    replaceIt(of, flags),
  ],
  'option-name-in-use': ({ name, of }, { flags }) => [
    `another option that stays has the name ${JSON.stringify(name)}, and the service tells options apart by name`,
    'give it another name',
    'put the other option back under its key',
    replaceIt(of, flags),
  ],
  'option-assigned': ({ item, option, isSeen, isRenamed, of }, { flags }) => [
    `${item}${isSeen ? ' has' : ', which no answer has shown yet, may have'} ${option}, and would lose it${isRenamed ? ': where options are replaced, a renamed one is a new one' : ''}`,
    ...(isRenamed
      ? [
          'put the name back as it was',
          'declare the new name under a key of its own, assign that, and remove this option later',
        ]
      : ['put the option back', 'assign another option or none, apply, and plan again']),
    replaceIt(of, flags),
  ],
  'option-without-id': ({ option, of }, { flags }) => [
    `option ${option} has no remote id: ${of} was created without it, and the API documents no way to add one (API section 4.4)`,
    'assign an option that exists',
    `create the classifier anew with all its options: trove apply${flags} --replace ${of}`,
  ],
  'option-unclear': ({ option, name }) => [
    `${option} still is the option ${JSON.stringify(name)}: its declared name is not sent, and belongs to another option`,
    `give the option ${JSON.stringify(name)} its former key back`,
    'assign another option',
  ],

  'create-unseen': ({ isProtected, ...unseen }, { address, flags }) => [
    `its create was ${unseenWords(unseen)}${isProtected ? '; it was to replace a record that is protected now, so it is not sent again' : ''}`,
    `if the service has the record: trove resolve ${address}${flags} --id ID`,
    `if it has not: trove resolve ${address}${flags} --not-created`,
  ],
  'create-repeated': (unseen) => [
    `its create was ${unseenWords(unseen)}; the same id is sent again, which leaves one record`,
  ],
  'update-unseen': (unseen) => [`an update was ${unseenWords(unseen)}`],
  forgotten: ({ id, at }, { address, flags }) => [
    `it was recorded as ${id} until that was forgotten at ${at}: to create it may make a second record`,
    `if the service has it: trove import${flags} ${address} ${quotedForShell(id)}`,
    `if it has not: trove apply${flags} --confirm-new ${address}`,
  ],
  'id-held': ({ id, holder }, { address }) => [
    `its id ${id} is recorded for ${holder}, and one record can't be two resources`,
    `if it is the same item under a new key, add to the catalog: moved: [{ from: ${holder}, to: ${address} }]`,
    'otherwise give it another id, or none',
  ],
  'id-declared': ({ id }) => [
    `its id ${id} is declared, and a second record can't have it`,
    'give it another id in the catalog, or none',
  ],
  replaced: ({ id, oldOptions }) => [
    `created anew; the record ${id} stays in the service and is retired${oldOptions === undefined ? '' : `; its items ${oldOptions === 'kept' ? 'keep' : 'may keep'} their options of the old one beside the new ones`}`,
  ],
  protected: ({ against }, { flags }) => [
    `${against === 'replacement' ? 'replacing it would retire its record' : 'it is no longer declared'}, but it was declared with \`lifecycle: { protect: true }\``,
    'declare it as before',
    `or declare it once more with \`protect: false\`, and then ask again after: trove apply${flags}`,
  ],
  imported: (reason) => [importSentence(reason)],
  'import-undeclared': (_reason, { address, flags }) => [
    'its id was imported, and it is not declared, so nothing confirms the id',
    'declare it',
    `or let go of the id: trove state forget ${address}${flags}`,
  ],
  'looked-for': ({ creates }) => [
    `looked for under the ids derived from its key, and ${creates ? 'created only' : 'not created'} where no record answers`,
  ],
  'may-exist': (_reason, { address, flags }) => ['it may exist already', importIt(address, flags)],
  'not-findable': ({ why, canProbe }, { address, flags }) => [
    `it may exist already, and nothing can find it: ${whyNotFindable[why]}`,
    importIt(address, flags),
    ...(canProbe ? [probeIt(flags)] : []),
    `if it has not: trove apply${flags} --recover --confirm-new ${address}`,
  ],
  'possible-rename': ({ from, to, former }, { flags }) => [
    possibleRename[former](from, to),
    former === 'reused'
      ? `if it is, first declare only ${to}, with \`moved: [{ from: ${from}, to: ${to} }]\`; once that is applied, declare ${from} again`
      : `if it is, add to the catalog: \`moved: [{ from: ${from}, to: ${to} }]\``,
    `if it is another one: trove apply${flags} --confirm-new ${to}`,
    ...(former === 'imported' ? [`if nothing new is it: trove apply${flags} --confirm-new`] : []),
  ],
  'waits-for-classifiers': ({ classifiers }) => [
    `waits for ${classifiers.map(({ address, action }) => `${address} (${action})`).join(' and ')}`,
  ],
  'waits-for-update': ({ classifier, option }) => [
    `waits for the update of ${classifier}, which may give ${option} another ID: plan again after it`,
  ],
  redacted: ({ paths }) => [
    `an update has to repeat ${paths.join(' and ')}, of which the last answer had a credential in it, so the value was not recorded`,
    `declare ${paths.join(' and ')}`,
  ],
  'not-taken': ({ canBeSent }, { address, flags }) => [
    undefined,
    'declare what the service made of it',
    ...(canBeSent ? [`send it again: trove apply${flags} --reassert ${address}`] : []),
  ],
};

const possibleRename: Record<
  Tagged<Reason, 'code', 'possible-rename'>['former'],
  (from: Address, to: Address) => string
> = {
  removed: (from, to) =>
    `${from} is no longer declared, and ${to} is new and looks like it: is it the same under a new key?`,
  reused: (from, to) =>
    `${from} now has another name, and ${to} is new and looks as ${from} did: is it the same under a new key?`,
  // The same for everything new, so that many of them are told as one.
  imported: (from) =>
    `it is new, and only the imported id is known of ${from}, which is not declared: is it the same under a new key?`,
};

const LEAVE_ASSIGNMENTS = 'add `lifecycle: { ignoreChanges: [classifiers] }` to the item';

/** What to set in the profile while that is open; and always, a new record can be whatever is declared. */
function settingOr(
  { point, isOpen, of }: { readonly point: string; readonly isOpen: boolean; readonly of: Address },
  flags: string,
  when: string,
  value = '',
): readonly string[] {
  const setting = `set \`${point}${value}\` in the profile of the environment ${when}`;
  return [...(isOpen ? [setting, probeIt(flags)] : []), replaceIt(of, flags)];
}

function replaceIt(of: Address, flags: string): string {
  return `create it anew and retire this record: trove apply${flags} --replace ${of}`;
}

function importIt(address: Address, flags: string): string {
  return `if the service has it: trove import ${address} ID${flags}`;
}

function probeIt(flags: string): string {
  return `let Trove find out what the service does: trove probe${flags}`;
}

function mergedOr(what: string, isMerged: boolean): string {
  return isMerged
    ? `an update merges ${what}`
    : `the API doesn't say whether an update replaces or merges ${what} (API section 4)`;
}

function unseenWords({ at, cause = 'the run ended before an answer came' }: { at: string; cause?: string }) {
  return `sent at ${at} and its outcome was not seen: ${cause}`;
}

function importSentence({
  at,
  forced,
  mayCreate,
  mayClearThumbnail,
}: Tagged<Reason, 'code', 'imported'>): string {
  const they = forced.length === 1 ? 'it is' : 'they are';
  return linesOf(
    `its id was imported at ${at}, and no answer has confirmed it yet`,
    forced.length > 0 &&
      `an update has to carry ${forced.join(' and ')}, so ${they} sent as declared, although changes are ignored`,
    mayCreate && 'where nobody has this id, it is created',
    mayClearThumbnail &&
      "no thumbnail is sent, and the API doesn't say whether the current one is kept (API section 4)",
  ).join('; ');
}

const whyNotFindable: Record<NotFindable, string> = {
  'made-up-id': 'the service made up its id',
  'ids-not-honored': 'the service is not known to honor the ids that items are created with',
  moved: 'it was moved, and an update of an id that nobody has may create it',
  'unproven-namespace':
    'an update of an id that nobody has may create it, and no id of before shows yet that `idNamespace` is still the same (one imported id that was derived from it does)',
};
