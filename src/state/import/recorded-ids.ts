import { type Address, type Catalog, type Kind, kindOf, type Subject } from '../../catalog/model.ts';
import { type Diagnostic, error } from '../../text/diagnostic.ts';
import { problemsIn } from '../../text/problem-list.ts';
import { quoted } from '../../text/quoted.ts';
import { entriesOf } from '../entries.ts';
import type { State } from '../model.ts';
import type { NamedId } from './import-file.ts';

/** A named id whose address means something. */
export interface Entry extends Subject {
  readonly named: NamedId;
  /** What is named for the resource itself: for an option, the id of its classifier. */
  readonly resourceId: string | undefined;
}

export interface ImportContext {
  readonly catalog: Catalog;
  readonly known: RecordedIds;
  /** What printed commands need to mean this catalog and environment. */
  readonly flags: string;
}

/** A named condition on ids that a person names; gives one diagnostic a violation. */
export type ImportRule = (entries: readonly Entry[], context: ImportContext) => readonly Diagnostic[];

/** What a state knows of one address that a person may name an id for. */
interface KnownId {
  /** `retired`: only the last one retired there, which is the one that would be revived. */
  readonly standing: 'live' | 'imported' | 'retired';
  readonly id: string;
  readonly options: Readonly<Record<string, string>>;
}

/** The ids of a state, both ways. Ids of options are told apart from ids of records: a service may number both. */
interface RecordedIds {
  at(address: Address): KnownId | undefined;
  isPending(address: Address): boolean;
  /** Whose the id of a record is; also one that a pending create asked for, or was answered with. */
  holderOf(kind: Kind, id: string): Address | undefined;
  /** `classifier.rarity.rare` for the id of an option. */
  optionHolderOf(id: string): string | undefined;
}

export function recordedIds(state: State): RecordedIds {
  const entries = entriesOf(state);
  const asked = new Map(
    entries
      .all('pending')
      .flatMap(({ address, request, answer }) =>
        [request.body.id, answer?.id].map((id) => [`${kindOf(address)} ${id}`, address] as const),
      ),
  );
  const optionHolders = new Map(
    state.entries.flatMap((entry) =>
      Object.entries('options' in entry ? entry.options : {}).map(
        ([option, id]) => [id, `${entry.address}.${option}`] as const,
      ),
    ),
  );
  return {
    at(address) {
      const found =
        entries.find('live', address) ??
        entries.find('imported', address) ??
        entries.find('retired', address);
      return found && { standing: found.status, id: found.id, options: found.options ?? {} };
    },
    isPending: (address) => entries.find('pending', address) !== undefined,
    holderOf: (kind, id) => entries.holderOf(kind, id) ?? asked.get(`${kind} ${id}`),
    optionHolderOf: (id) => optionHolders.get(id),
  };
}

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
