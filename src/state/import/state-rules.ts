import { type Address, kindOf } from '../../catalog/model.ts';
import { error } from '../../text/diagnostic.ts';
import { problemsIn } from '../../text/problem-list.ts';
import { quoted } from '../../text/quoted.ts';
import type { KnownId, RecordedIds } from './recorded-ids.ts';
import type { Entry, ImportContext, ImportRule } from './rule.ts';

/** An id that is somebody else's already: two addresses would overwrite one record in turn. */
const ofAnother: ImportRule = (entries, context) =>
  problemsIn(entries, (entry) => {
    const { id, address, place } = entry.named;
    const holder = id === undefined ? undefined : holderOf(id, entry, context);
    if (id === undefined || holder === undefined || holder === address) return undefined;
    const message = `${quoted(id)} is recorded as ${quoted(holder)}, and one record can't be ${quoted(address)} too`;
    return () => error('held-id', message, { ...place('id'), hint: wayOut(holder, entry, context) });
  });

function holderOf(id: string, { option, resource }: Entry, { known }: ImportContext): string | undefined {
  return option === undefined ? known.holderOf(kindOf(resource), id) : known.optionHolderOf(id);
}

function wayOut(holder: string, { resource, option }: Entry, { known, flags }: ImportContext): string {
  if (option !== undefined) return 'check the id';
  if (known.isPending(holder as Address))
    return `a create of ${quoted(holder)} has an unknown outcome: trove resolve ${holder}${flags} --id ID`;
  return `check the id; if it is the same record under a new key: trove state mv ${holder} ${resource}${flags}`;
}

const ofAnotherRecord: ImportRule = (entries, { known, flags }) =>
  problemsIn(entries, (entry) => {
    const { resource, named } = entry;
    const { id, address, place } = named;
    const recorded = recordedId(entry, known);
    if (id === undefined || recorded === undefined || recorded === id) return undefined;
    const message = `${quoted(address)} is recorded already, with the id ${quoted(recorded)}`;
    const hint = `leave it out if that is right; if it is not, first: trove state forget ${resource}${flags}`;
    return () => error('recorded-already', message, { ...place('id'), hint });
  });

/** Options of a recorded classifier came with an answer, matched by name; only one that is not yet confirmed takes more. */
const optionOfRecorded: ImportRule = (entries, { known, flags }) =>
  problemsIn(entries, (entry) => {
    const { resource, option, named } = entry;
    const { place } = named;
    if (option === undefined || known.at(resource)?.standing !== 'live') return undefined;
    if (recordedId(entry, known) !== undefined) return undefined;
    const message = `${quoted(resource)} is recorded already, and its answer had no id for option ${quoted(option)}`;
    const hint = `to import it with its options instead, first: trove state forget ${resource}${flags}`;
    return () => error('recorded-already', message, { ...place('address'), hint });
  });

const pending: ImportRule = (entries, { known, flags }) =>
  problemsIn(entries, ({ resource, option, named: { place } }) => {
    if (option !== undefined || !known.isPending(resource)) return undefined;
    const message = `a create of ${quoted(resource)} was sent, and nobody saw what became of it`;
    const hint = `say there what its id is: trove resolve ${resource}${flags} --id ID`;
    return () => error('pending-create', message, { ...place('address'), hint });
  });

/** What the state says about the ids. */
export const stateRules: readonly ImportRule[] = [ofAnother, ofAnotherRecord, optionOfRecorded, pending];

/** What the state has for the resource of an entry. A retired record of another id is no obstacle: it stays beside. */
export function knownOf({ resource, resourceId }: Entry, known: RecordedIds): KnownId | undefined {
  const found = known.at(resource);
  return found?.standing === 'retired' && found.id !== resourceId ? undefined : found;
}

/** The id that the state has for the very address of an entry. */
export function recordedId(entry: Entry, known: RecordedIds): string | undefined {
  const found = knownOf(entry, known);
  const { option } = entry;
  if (!found || option === undefined) return found?.id;
  return Object.hasOwn(found.options, option) ? found.options[option] : undefined;
}
