import type { NotFindable, Reason } from '../../plan/reason.ts';

/** One reason in words; undefined if the change says it all. */
export function sentenceOf(reason: Reason): string | undefined {
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
    case 'redacted':
      return `an update has to repeat ${reason.paths.join(' and ')}, of which the last answer had a credential in it, so the value was not recorded`;
    case 'not-taken':
      return undefined;
  }
}

function mergedOr(what: string, isMerged: boolean): string {
  return isMerged
    ? `an update merges ${what}`
    : `the API doesn't say whether an update replaces or merges ${what} (API section 4)`;
}

function unseen({
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
  'ids-not-honored': 'the service is not known to honor the ids that items are created with',
  moved: 'it was moved, and an update of an id that nobody has may create it',
  'unproven-namespace':
    'an update of an id that nobody has may create it, and no id of before shows yet that `idNamespace` is still the same (one imported id that was derived from it does)',
};
