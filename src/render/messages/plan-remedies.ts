import type { Address } from '../../catalog/model.ts';
import type { Reason } from '../../plan/reason.ts';
import { quotedForShell } from '../../text/quoted.ts';

/** What a change is about, and what printed commands need to mean its catalog and environment. */
interface Subject {
  readonly address: Address;
  readonly flags: string;
}

/** What to do about a reason, one step each, the likeliest first, commands as typed. */
export function remediesOf(reason: Reason, subject: Subject): readonly string[] {
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
    case 'redacted':
      return [`declare ${reason.paths.join(' and ')}`];
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

function resolveCommands(address: Address, flags: string): readonly string[] {
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
