import { type Address, type Catalog, kindOf, parseAddress, type Subject } from '../../catalog/model.ts';
import { isRecordId } from '../../contract/api.ts';
import {
  type Diagnostic,
  error,
  failure,
  type ImportProblems,
  type Problems,
  type Result,
  success,
} from '../../text/diagnostic.ts';
import { ProblemList } from '../../text/problem-list.ts';
import { fold } from '../draft.ts';
import { entriesOf } from '../entries.ts';
import type { Holding } from '../entry.ts';
import type { EventOf } from '../event.ts';
import type { State } from '../model.ts';
import type { NamedId, NamedIds } from './import-file.ts';

/** What an import would record, as data: the preview and the recording are made of this one value. */
export interface ImportPlan {
  /** Sorted by address. */
  readonly rows: readonly ImportRow[];
  /** None if there is nothing to import; else the renames first, which the addresses rely on. */
  readonly events: readonly EventOf<'imported' | 'moved'>[];
}

export interface ImportRow {
  readonly address: string;
  readonly id: string;
  /** `known`: the state has this ID for this address already, so there is nothing to record. */
  readonly outcome: 'import' | 'known';
}

/** A named ID whose address means something. */
interface Entry extends Subject {
  readonly named: NamedId;
  /** What the state has for the resource. A retired record of another ID is no obstacle: it stays beside. */
  readonly known: Holding | undefined;
  /** The ID that the state has for the very address. */
  readonly recordedId: string | undefined;
}

interface ImportInputs {
  readonly catalog: Catalog;
  readonly state: State;
  /** Renames that the next apply would record: addresses are those that it will use. */
  readonly moves: readonly EventOf<'moved'>[];
}

/**
 * What importing these IDs records, or everything that is wrong with them, sorted by place. `at` is the ISO 8601
 * instant of the import.
 */
export function checkImport(
  { ids, problems }: NamedIds,
  { catalog, state, moves }: ImportInputs,
  at: string,
): Result<ImportPlan> {
  const renamed = fold(state, moves);
  const entries = entriesFor(ids, renamed);
  const check = checkFor(entries, catalog, renamed, moves);
  const found = new ProblemList();
  found.addAll(problems);
  for (const { address, place } of ids) {
    if (parseAddress(address)) continue;
    found.add(() => error('not-an-address', { address, known: check.declared }, place('address')));
  }
  for (const entry of entries) {
    for (const rule of rules) {
      const complaint = rule(entry, check);
      if (complaint) found.add(complaint);
    }
  }
  if (found.count > 0) return failure(...found.sort().all());
  const rows = entries.map(rowOf).sort((a, b) => (a.address < b.address ? -1 : 1));
  const events = eventsOf(entries, at);
  return success({ rows, events: events.length > 0 ? [...moves, ...events] : [] });
}

function entriesFor(ids: readonly NamedId[], state: State): readonly Entry[] {
  const named = new Map(ids.map(({ address, id }) => [address, id]));
  const recorded = entriesOf(state);
  return ids.flatMap((each) => {
    const subject = parseAddress(each.address);
    if (!subject) return [];
    const { resource, option } = subject;
    const found = recorded.record(resource);
    const known = found?.status === 'retired' && found.id !== named.get(resource) ? undefined : found;
    const recordedId =
      option === undefined ? known?.id : new Map(Object.entries(known?.options ?? {})).get(option);
    return [{ ...subject, named: each, known, recordedId }];
  });
}

function rowOf({ recordedId, named: { address, id = '' } }: Entry): ImportRow {
  return { address, id, outcome: recordedId === id ? 'known' : 'import' };
}

/** One event for each resource with something new; it has the options that were known before, too. */
function eventsOf(entries: readonly Entry[], at: string): readonly EventOf<'imported'>[] {
  const options = new Map<Address, Map<string, string>>();
  const changed = new Set<Address>();
  for (const entry of entries) {
    const { resource, option, named, known } = entry;
    const all = options.get(resource) ?? new Map(Object.entries(known?.options ?? {}));
    options.set(resource, all);
    if (option !== undefined && named.id !== undefined) all.set(option, named.id);
    if (rowOf(entry).outcome === 'import') changed.add(resource);
  }
  return entries.flatMap(({ resource, option, named: { id } }) => {
    if (option !== undefined || id === undefined || !changed.has(resource)) return [];
    const named = Object.fromEntries(options.get(resource) ?? []);
    const some = Object.keys(named).length > 0;
    return [{ type: 'imported', address: resource, at, id, ...(some && { options: named }) }];
  });
}

type Check = ReturnType<typeof checkFor>;

/** What the checks look things up in. */
function checkFor(
  entries: readonly Entry[],
  { classifiers, items }: Catalog,
  state: State,
  moves: ImportInputs['moves'],
) {
  const recorded = entriesOf(state);
  const optionHolders = new Map(
    state.entries.flatMap((entry) =>
      Object.entries('options' in entry ? entry.options : {}).map(
        ([option, id]) => [id, `${entry.address}.${option}`] as const,
      ),
    ),
  );
  // The last one of a key stays in a map.
  const backwards = entries.toReversed();
  const byAddress = new Map(backwards.map((entry) => [entry.named.address, entry]));
  const byId = new Map(backwards.map((entry) => [idKey(entry), entry]));
  return {
    /** The addresses of the catalog's resources. */
    declared: new Set([
      ...[...classifiers.keys()].map((key) => `classifier.${key}`),
      ...[...items.keys()].map((key) => `item.${key}`),
    ]),
    optionsOf: (classifier: Address) =>
      classifiers.get(classifier.slice('classifier.'.length))?.declaration.options ?? {},
    /** The first entry that names this address, or the ID of this entry. */
    firstAt: (address: string) => byAddress.get(address),
    firstWithId: (entry: Entry) => byId.get(idKey(entry)),
    /** The address that commands find a resource under which work on the state alone. */
    recordedAs: (address: Address) =>
      moves.reduceRight((at, { from, to }) => (at === to ? from : at), address),
    isPending: (address: Address) => recorded.find('pending', address) !== undefined,
    /** Whose the ID of an entry is: also one that a pending create asked for, or was answered with. */
    holderOf(entry: Entry): string | undefined {
      const { resource, option, named } = entry;
      if (named.id === undefined) return undefined;
      if (option !== undefined) return optionHolders.get(named.id);
      const naming = [...recorded.naming(kindOf(resource), named.id)];
      const claim = recorded.claim(resource, named.id) ?? naming.find(({ status }) => status === 'pending');
      return claim?.address;
    },
  };
}

/** Items, classifiers and options may be numbered each for themselves. */
function idKey({ resource, option, named: { id } }: Entry): string {
  return `${option === undefined ? kindOf(resource) : 'option'} ${id}`;
}

type ImportRule = keyof ImportProblems | 'pending-create';

/** What is wrong with a part of an entry, and with which other. Its place is only looked for if it is listed. */
type Complaint = () => Diagnostic;

function complaint<R extends ImportRule>(
  { named }: Entry,
  part: 'address' | 'id',
  rule: R,
  values: Problems[R],
  other?: Entry,
): Complaint {
  return () => {
    const location = other?.named.place(part).location;
    const related = location && ([{ role: 'other', location }] as const);
    return error(rule, values, { ...named.place(part), ...(related && { related }) });
  };
}

/** What is wrong with an entry: alone, compared with the others, and with what is recorded. */
const rules: readonly ((entry: Entry, check: Check) => Complaint | undefined)[] = [
  undeclared,
  unusableId,
  repeatedAddress,
  repeatedId,
  optionAlone,
  heldId,
  recordedAlready,
  pendingCreate,
];

function undeclared(entry: Entry, { declared, optionsOf, firstAt }: Check): Complaint | undefined {
  const { resource, option } = entry;
  if (!declared.has(resource)) {
    // The line of the classifier itself says it already.
    if (option !== undefined && firstAt(resource)) return undefined;
    return complaint(entry, 'address', 'undeclared', { resource, known: declared });
  }
  const known = optionsOf(resource);
  if (option === undefined || Object.hasOwn(known, option)) return undefined;
  return complaint(entry, 'address', 'undeclared', { resource, option, known });
}

function unusableId(entry: Entry): Complaint | undefined {
  const { id } = entry.named;
  return id === undefined || isRecordId(id) ? undefined : complaint(entry, 'id', 'unusable-id', {});
}

function repeatedAddress(entry: Entry, { firstAt }: Check): Complaint | undefined {
  const { address } = entry.named;
  const other = firstAt(address);
  if (!other || other === entry) return undefined;
  return complaint(entry, 'address', 'repeated-address', { address }, other);
}

function repeatedId(entry: Entry, { firstWithId }: Check): Complaint | undefined {
  const { id, address } = entry.named;
  const other = firstWithId(entry);
  if (id === undefined || !other || other.named.address === address) return undefined;
  return complaint(entry, 'id', 'repeated-id', { addresses: [other.named.address, address] }, other);
}

function optionAlone(entry: Entry, { firstAt }: Check): Complaint | undefined {
  const { resource, option } = entry;
  if (option === undefined || firstAt(resource)) return undefined;
  return complaint(entry, 'address', 'option-alone', { classifier: resource });
}

/** Two addresses would overwrite one record in turn. */
function heldId(entry: Entry, { holderOf, isPending, recordedAs }: Check): Complaint | undefined {
  const { id = '', address } = entry.named;
  const found = holderOf(entry);
  if (found === undefined || found === address) return undefined;
  const why = entry.option !== undefined ? 'option' : isPending(found as Address) ? 'pending' : 'recorded';
  const holder = why === 'recorded' ? recordedAs(found as Address) : found;
  return complaint(entry, 'id', 'held-id', { why, id, holder, address });
}

function recordedAlready(entry: Entry, { recordedAs }: Check): Complaint | undefined {
  const { option, known, recordedId } = entry;
  const { address, id } = entry.named;
  const resource = recordedAs(entry.resource);
  if (recordedId !== undefined) {
    if (id === undefined || recordedId === id) return undefined;
    const values = { why: 'other-id', address, resource, id: recordedId } as const;
    return complaint(entry, 'id', 'recorded-already', values);
  }
  // Options of a recorded classifier came with an answer, by name; only one that is not yet confirmed takes more.
  if (option === undefined || known?.status !== 'live') return undefined;
  return complaint(entry, 'address', 'recorded-already', { why: 'no-option', resource, option });
}

function pendingCreate(entry: Entry, { isPending }: Check): Complaint | undefined {
  const { resource: address, option } = entry;
  if (option !== undefined || !isPending(address)) return undefined;
  return complaint(entry, 'address', 'pending-create', { address });
}
