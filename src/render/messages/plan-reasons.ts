import type { Address } from '../../catalog/model.ts';
import type { GuardReason, NotFindable, Reason } from '../../plan/reason.ts';
import { pluralize } from '../../text/pluralize.ts';
import { quotedForShell } from '../../text/quoted.ts';

/** What a change is about, and what printed commands need to mean its catalog and environment. */
interface Subject {
  readonly address: Address;
  readonly flags: string;
}

/** One reason in words: what is true now, and what to do about it, one step each, commands as typed. */
export interface Explanation<Sentence = string> {
  readonly reason: Sentence;
  readonly remedies: readonly string[];
}

export function explainReason(reason: Reason, subject: Subject): Explanation<string | undefined> {
  return { reason: sentenceOf(reason), remedies: remediesOf(reason, subject) };
}

function sentenceOf(reason: Reason): string | undefined {
  switch (reason.code) {
    case 'thumbnail-removal':
      return 'a thumbnail can be replaced but not removed: section 4.2 types it as string and shows no way to clear it';
    case 'attribute-removal':
      return `an attribute range can't be removed: ${mergedOr('attributes', reason.isMerged)}`;
    case 'assignment-change':
      return "assignments of an existing item can't be changed: the API doesn't document the format of `classifierOptionIds` in updates (API section 4.2)";
    case 'assignment-removal':
      return `an assignment can't be removed: ${mergedOr('assignments', reason.isMerged)}`;
    case 'option-change':
      return "the options of an existing classifier can't be changed: the API documents only `name` for updates (API section 4.4)";
    case 'option-merge':
      return "the service merges options by name, so one can't be renamed or removed";
    case 'option-name-in-use':
      return `another option that stays has the name ${JSON.stringify(reason.name)}, and the service tells options apart by name`;
    case 'option-assigned': {
      const holder = reason.isSeen
        ? `${reason.item} has`
        : `${reason.item}, which no answer has shown yet, may have`;
      const why = reason.isRenamed ? ': where options are replaced, a renamed one is a new one' : '';
      return `${holder} ${reason.option}, and would lose it${why}`;
    }
    case 'option-without-id':
      return `option ${reason.option} has no remote id: ${reason.of} was created without it, and the API documents no way to add one (API section 4.4)`;
    case 'option-unclear':
      return `${reason.option} still is the option ${JSON.stringify(reason.name)}: its declared name is not sent, and belongs to another option`;
    case 'waits-for-classifiers':
      return `waits for ${reason.classifiers.map(({ address, action }) => `${address} (${action})`).join(' and ')}`;
    case 'waits-for-update':
      return `waits for the update of ${reason.classifier}, which may give ${reason.option} another ID: plan again after it`;
    default:
      return sentenceOfRecord(reason);
  }
}

type RecordReason = Exclude<
  Reason,
  { readonly of: unknown } | { readonly option: unknown } | { readonly classifiers: unknown }
>;

/** Of what concerns a record as a whole. */
function sentenceOfRecord(reason: RecordReason): string | undefined {
  switch (reason.code) {
    case 'create-unseen':
      return `its create was ${unseen(reason)}${reason.isProtected ? '; it was to replace a record that is protected now, so it is not sent again' : ''}`;
    case 'create-repeated':
      return `its create was ${unseen(reason)}; the same id is sent again, which leaves one record`;
    case 'update-unseen':
      return `an update was ${unseen(reason)}`;
    case 'forgotten':
      return `it was recorded as ${reason.id} until that was forgotten at ${reason.at}: to create it may make a second record`;
    case 'id-held':
      return `its id ${reason.id} is recorded for ${reason.holder}, and one record can't be two resources`;
    case 'id-declared':
      return `its id ${reason.id} is declared, and a second record can't have it`;
    case 'replaced':
      return `created anew; the record ${reason.id} stays in the service and is retired${keptOptions(reason.oldOptions)}`;
    case 'protected':
      return `${reason.against === 'replacement' ? 'replacing it would retire its record' : 'it is no longer declared'}, but it was declared with \`lifecycle: { protect: true }\``;
    case 'imported':
      return importSentence(reason);
    case 'import-undeclared':
      return 'its id was imported, and it is not declared, so nothing confirms the id';
    case 'looked-for':
      return `looked for under the ids derived from its key, and ${reason.creates ? 'created only where no record answers' : 'not created where no record answers'}`;
    case 'may-exist':
      return 'it may exist already';
    case 'not-findable':
      return `it may exist already, and nothing can find it: ${whyNotFindable[reason.why]}`;
    case 'possible-rename':
      return reason.isImported
        ? // The same for everything new, so that many of them are told as one.
          `it is new, and only the imported id is known of ${reason.from}, which is not declared: is it the same under a new key?`
        : `${reason.from} is no longer declared, and ${reason.to} is new and looks like it: is it the same under a new key?`;
    case 'not-taken':
      return undefined;
  }
}

function mergedOr(what: string, isMerged: boolean): string {
  return isMerged
    ? `an update merges ${what}`
    : `the API doesn't say whether an update replaces or merges ${what} (API section 4)`;
}

/** Also of a create in a state, where no plan is made. */
export function unseen({
  at,
  cause = 'the run ended before an answer came',
}: {
  at: string;
  cause?: string;
}): string {
  return `sent at ${at} and its outcome was not seen: ${cause}`;
}

function keptOptions(oldOptions: 'kept' | 'perhaps-kept' | undefined): string {
  if (oldOptions === undefined) return '';
  return `; its items ${oldOptions === 'kept' ? 'keep' : 'may keep'} their options of the old one beside the new ones`;
}

function importSentence({
  at,
  forced,
  mayCreate,
  mayClearThumbnail,
}: Extract<Reason, { code: 'imported' }>): string {
  return [
    `its id was imported at ${at}, and no answer has confirmed it yet`,
    ...(forced.length > 0
      ? [
          `an update has to carry ${forced.join(' and ')}, so ${forced.length === 1 ? 'it is' : 'they are'} sent as declared, although changes are ignored`,
        ]
      : []),
    ...(mayCreate ? ['where nobody has this id, it is created'] : []),
    ...(mayClearThumbnail
      ? ["no thumbnail is sent, and the API doesn't say whether the current one is kept (API section 4)"]
      : []),
  ].join('; ');
}

const whyNotFindable: Record<NotFindable, string> = {
  'made-up-id': 'the service made up its id',
  'ids-not-honored': 'the service is not known to honour the ids that items are created with',
  moved: 'it was moved, and an update of an id that nobody has may create it',
  'unproven-namespace':
    'an update of an id that nobody has may create it, and no id of before shows yet that `idNamespace` is still the same (one imported id that was derived from it does)',
};

function remediesOf(reason: Reason, subject: Subject): readonly string[] {
  const { address, flags } = subject;
  const importIt = `if the service has it: trove import ${address} ID${flags}`;
  const probe = `let Trove find out what the service does: trove probe${flags}`;
  switch (reason.code) {
    case 'create-unseen':
      return resolveCommands(address, flags);
    case 'forgotten':
      return [
        `if the service has it: trove import${flags} ${address} ${quotedForShell(reason.id)}`,
        `if it has not: trove apply${flags} --confirm-new ${address}`,
      ];
    case 'id-held':
      return [
        `if it is the same item under a new key, add to the catalog: moved: [{ from: ${reason.holder}, to: ${address} }]`,
        'otherwise give it another id, or none',
      ];
    case 'id-declared':
      return ['give it another id in the catalog, or none'];
    case 'protected':
      return [
        'declare it as before',
        `or declare it once more with \`protect: false\`, and then ask again after: trove apply${flags}`,
      ];
    case 'import-undeclared':
      return ['declare it', `or let go of the id: trove state forget ${address}${flags}`];
    case 'may-exist':
      return [importIt];
    case 'not-findable':
      return [
        importIt,
        ...(reason.canProbe ? [probe] : []),
        `if it has not: trove apply${flags} --recover --confirm-new ${address}`,
      ];
    case 'possible-rename':
      return [
        `if it is, add to the catalog: \`moved: [{ from: ${reason.from}, to: ${reason.to} }]\``,
        `if it is another one: trove apply${flags} --confirm-new ${reason.to}`,
        ...(reason.isImported ? [`if nothing new is it: trove apply${flags} --confirm-new`] : []),
      ];
    case 'option-without-id':
      return [
        'assign an option that exists',
        `create the classifier anew with all its options: trove apply${flags} --replace ${reason.of}`,
      ];
    case 'option-unclear':
      return [`give the option ${JSON.stringify(reason.name)} its former key back`, 'assign another option'];
    case 'not-taken':
      return [
        'declare what the service made of it',
        ...(reason.canBeSent ? [`send it again: trove apply${flags} --reassert ${address}`] : []),
      ];
    case 'option-name-in-use':
      return [
        'give it another name',
        'put the other option back under its key',
        ...replaceIt(reason.of, flags),
      ];
    case 'option-assigned':
      return [...(reason.isRenamed ? keepTheName : keepTheOption), ...replaceIt(reason.of, flags)];
    case 'thumbnail-removal':
    case 'attribute-removal':
    case 'assignment-change':
    case 'assignment-removal':
    case 'option-change':
    case 'option-merge':
      return [
        ...withoutIt[reason.code],
        ...(reason.isOpen && reason.code !== 'option-merge' ? [settings[reason.code], probe] : []),
        ...replaceIt(reason.of, flags),
      ];
    default:
      return [];
  }
}

export function resolveCommands(address: Address, flags: string): readonly string[] {
  const command = `trove resolve ${address}${flags}`;
  return [`if the service has the record: ${command} --id ID`, `if it has not: ${command} --not-created`];
}

/** A new record can be whatever is declared. */
function replaceIt(of: Address, flags: string): readonly string[] {
  return [`create it anew and retire this record: trove apply${flags} --replace ${of}`];
}

const keepTheName = [
  'put the name back as it was',
  'declare the new name under a key of its own, assign that, and remove this option later',
];
const keepTheOption = ['put the option back', 'assign another option or none, apply, and plan again'];
const leaveAssignments = 'add `lifecycle: { ignoreChanges: [classifiers] }` to the item';

/** What to declare instead. */
const withoutIt = {
  'thumbnail-removal': ['give it another thumbnail, or leave `thumbnail` out so that it is not managed'],
  'attribute-removal': ['declare the range again'],
  'assignment-change': [leaveAssignments],
  'assignment-removal': ['assign the option again', leaveAssignments],
  'option-change': [
    'put the option back as it was',
    'add `lifecycle: { ignoreChanges: [options] }` to the classifier',
  ],
  'option-merge': ['put the option back as it was'],
} as const;

/** What to set in the profile, if the service goes beyond its document. */
const settings = {
  'thumbnail-removal':
    'set `itemUpdate.clearThumbnail` in the profile of the environment once the owner of the service names a way',
  'attribute-removal':
    'set `itemUpdate.attributes: replace` in the profile of the environment if the service does so',
  'assignment-change':
    'set `itemUpdate.classifierOptionIds` in the profile of the environment to the shape that the service takes',
  'assignment-removal':
    'set `itemUpdate.assignments: replace` in the profile of the environment if the service does so',
  'option-change':
    'set `classifierUpdate.options` in the profile of the environment if the service takes options there',
} as const;

export function explainGuard(guard: GuardReason, environment: string, flags: string): Explanation {
  const recover = (when: string) => `${when}: trove apply${flags} --recover`;
  switch (guard.code) {
    case 'no-state':
      return {
        reason: `environment ${environment} has no state, so every record would be created anew`,
        remedies: [
          'if it was applied before, put its state back first',
          recover('if the state is lost for good'),
          `if this environment is really new: trove apply${flags} --new-environment`,
        ],
      };
    case 'shared-team':
      return { reason: guard.message, remedies: [guard.hint] };
    case 'database-gone':
      return {
        reason: 'the database of the embedded service is gone, and the state still has its records',
        remedies: ['put it back', `to begin again with an empty service, remove ${guard.statePath}`],
      };
    case 'state-gone':
      return {
        reason:
          'the state is gone, and the embedded service may have its records, which would be created twice',
        remedies: [
          'put it back',
          recover('to find its records again'),
          `to begin again with an empty service, remove ${guard.dataFolder}`,
        ],
      };
    case 'older-state':
      return {
        reason: `the state is an older version: its serial is ${guard.serial}, and this machine had ${guard.newest}, so what came after would be created a second time`,
        remedies: [
          'put the newer version back: from git, or from a copy that trove state pull made',
          recover('if it is lost for good'),
          `if this one is right all the same: trove state push${flags} --force FILE`,
        ],
      };
    case 'partial-state': {
      const more = guard.others > 0 ? ` and ${guard.others} more` : '';
      const begun = guard.begunBy === 'import' ? 'an import' : 'a probe';
      return {
        reason: `the state was begun by ${begun}, and ${guard.first}${more}, which it does not know, would be created anew`,
        remedies: [
          `if the team has them: trove import ADDRESS ID${flags}`,
          recover('if its state was lost'),
          `if they are really new: trove apply${flags} --new-environment`,
        ],
      };
    }
    case 'strange-state':
      return {
        reason: `the state knows none of the ${guard.declared} resources of this catalog, and has ${pluralize(guard.recorded, 'other')}: is it the right one?`,
        remedies: [
          'check the catalog and the environment',
          `if all of them really are new: trove apply${flags} --confirm-new`,
        ],
      };
    case 'limit-exceeded': {
      const what = guard.limit === 'maxCreates' ? 'create' : 'update';
      return {
        reason: `the plan has ${pluralize(guard.count, what)}, and \`limits.${guard.limit}\` allows ${guard.allowed}`,
        remedies: ['raise the limit in a reviewed change', 'apply in parts with --target'],
      };
    }
  }
}
