import { type Address, type Catalog, kindOf, parseAddress, type Subject } from '../../catalog/model.ts';
import { isRecordId } from '../../contract/limits.ts';
import { type Diagnostic, error, failure, type Result, success } from '../../text/diagnostic.ts';
import { nearest } from '../../text/nearest.ts';
import { ProblemList } from '../../text/problem-list.ts';
import { quoted } from '../../text/quoted.ts';
import { entriesOf } from '../entries.ts';
import type { StateEvent } from '../event.ts';
import type { EntryOf, State } from '../model.ts';
import type { NamedId, NamedIds } from './import-file.ts';

/** What an import would record, as data: the preview and the recording are made of this one value. */
export interface ImportPlan {
  /** Sorted by address. */
  readonly rows: readonly ImportRow[];
  readonly events: readonly Extract<StateEvent, { type: 'imported' }>[];
}

export interface ImportRow {
  readonly address: string;
  readonly id: string;
  /** `known`: the state has this ID for this address already, so there is nothing to record. */
  readonly outcome: 'import' | 'known';
}

interface ImportContext {
  readonly catalog: Catalog;
  readonly state: State;
  /** What printed commands need to mean this catalog and environment. */
  readonly flags: string;
}

/** A named ID whose address means something. */
interface Entry extends Subject {
  readonly named: NamedId;
  /** What the state has for the resource. A retired record of another ID is no obstacle: it stays beside. */
  readonly known: EntryOf<'live' | 'imported' | 'retired'> | undefined;
  /** The ID that the state has for the very address. */
  readonly recordedId: string | undefined;
}

/**
 * What importing these IDs records, or everything that is wrong with them, sorted by place. `at` is the ISO 8601
 * instant of the import.
 */
export function checkImport(
  { ids, problems }: NamedIds,
  context: ImportContext,
  at: string,
): Result<ImportPlan> {
  const entries = entriesFor(ids, context.state);
  const check = checkFor(entries, context);
  const found = new ProblemList();
  found.addAll(problems);
  for (const each of ids) {
    if (!parseAddress(each.address)) found.add(() => notAnAddress(each, check));
  }
  for (const entry of entries) {
    for (const problem of problemsOf(entry, check)) found.add(() => diagnosticOf(entry, problem));
  }
  if (found.count > 0) return failure(...found.sort().all());
  const rows = entries.map(rowOf).sort((a, b) => (a.address < b.address ? -1 : 1));
  return success({ rows, events: eventsOf(entries, at) });
}

function notAnAddress({ address, place }: NamedId, { declared }: Check): Diagnostic {
  const form = 'an address is item.KEY, classifier.KEY or classifier.KEY.OPTION';
  const hint = didYouMean(address, declared) ?? form;
  return error('not-an-address', `${quoted(address)} is no address`, { ...place('address'), hint });
}

function entriesFor(ids: readonly NamedId[], state: State): readonly Entry[] {
  const named = new Map(ids.map(({ address, id }) => [address, id]));
  const recorded = entriesOf(state);
  return ids.flatMap((each) => {
    const subject = parseAddress(each.address);
    if (!subject) return [];
    const { resource, option } = subject;
    const found =
      recorded.find('live', resource) ??
      recorded.find('imported', resource) ??
      recorded.find('retired', resource);
    const known = found?.status === 'retired' && found.id !== named.get(resource) ? undefined : found;
    const recordedId = option === undefined ? known?.id : optionIdOf(known?.options, option);
    return [{ ...subject, named: each, known, recordedId }];
  });
}

function optionIdOf(options: Readonly<Record<string, string>> = {}, option: string): string | undefined {
  return Object.hasOwn(options, option) ? options[option] : undefined;
}

function rowOf({ recordedId, named: { address, id = '' } }: Entry): ImportRow {
  return { address, id, outcome: recordedId === id ? 'known' : 'import' };
}

/** One event for each resource with something new; it has the options that were known before, too. */
function eventsOf(entries: readonly Entry[], at: string): ImportPlan['events'] {
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
function checkFor(entries: readonly Entry[], { catalog, state, flags }: ImportContext) {
  const { classifiers, items } = catalog;
  const recorded = entriesOf(state);
  const asked = recorded
    .all('pending')
    .flatMap(({ address, request, answer }) =>
      [request.body.id, answer?.id].map((id) => [`${kindOf(address)} ${id}`, address] as const),
    );
  const optionIds = state.entries.flatMap((entry) =>
    Object.entries('options' in entry ? entry.options : {}).map(
      ([option, id]) => [`option ${id}`, `${entry.address}.${option}`] as const,
    ),
  );
  const holders = new Map<string, string>([...asked, ...optionIds]);
  // The last one of a key stays in a map.
  const backwards = entries.toReversed();
  const byAddress = new Map(backwards.map((entry) => [entry.named.address, entry]));
  const byId = new Map(backwards.map((entry) => [idKey(entry), entry]));
  return {
    flags,
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
    isPending: (address: Address) => recorded.find('pending', address) !== undefined,
    /** Whose the ID of an entry is: also one that a pending create asked for, or was answered with. */
    holderOf(entry: Entry): string | undefined {
      const { resource, option, named } = entry;
      if (named.id === undefined) return undefined;
      const record = option === undefined ? recorded.holderOf(kindOf(resource), named.id) : undefined;
      return record ?? holders.get(idKey(entry));
    },
  };
}

/** Items, classifiers and options may be numbered each for themselves. */
function idKey({ resource, option, named: { id } }: Entry): string {
  return `${option === undefined ? kindOf(resource) : 'option'} ${id}`;
}

interface Problem {
  readonly rule: string;
  /** Which part of the entry it is about. */
  readonly part: 'address' | 'id';
  readonly message: string;
  /** A function: only worked out for problems that are listed. */
  readonly hint?: string | (() => string);
  /** The other end. */
  readonly other?: Entry;
}

function diagnosticOf({ named }: Entry, { rule, part, message, hint, other }: Problem): Diagnostic {
  const location = other?.named.place(part).location;
  return error(rule, message, {
    ...named.place(part),
    ...(hint !== undefined && { hint: typeof hint === 'string' ? hint : hint() }),
    ...(location && { related: [{ message: 'the other', location }] }),
  });
}

function problemsOf(entry: Entry, check: Check): readonly Problem[] {
  return [...againstCatalog(entry, check), ...againstOthers(entry, check), ...againstState(entry, check)];
}

const declareFirst = 'declare it first, so that it is known what the record should be';

function* againstCatalog({ resource, option }: Entry, check: Check): Iterable<Problem> {
  const [rule, part] = ['undeclared', 'address'] as const;
  if (check.declared.has(resource)) {
    const options = check.optionsOf(resource);
    if (option === undefined || Object.hasOwn(options, option)) return;
    const message = `option ${quoted(option)} is not declared in ${quoted(resource)}`;
    const meant = () => nearest(option, Object.keys(options));
    const hint = () => (meant() ? `did you mean ${quoted(`${resource}.${meant()}`)}?` : declareFirst);
    yield { rule, part, message, hint };
    // The line of the classifier itself says it already.
  } else if (option === undefined || !check.firstAt(resource)) {
    const message = `${quoted(resource)} is not declared in the catalog`;
    yield { rule, part, message, hint: () => didYouMean(resource, check.declared) ?? declareFirst };
  }
}

/** What the entry is by itself, and beside the others. */
function* againstOthers(entry: Entry, check: Check): Iterable<Problem> {
  const { resource, option, named } = entry;
  const { id, address } = named;
  if (id !== undefined && !isRecordId(id)) {
    const hint = 'an id has 1 to 191 characters, as the service answers it';
    yield { rule: 'unusable-id', part: 'id', message: "this can't be the id of a record", hint };
  }
  const first = check.firstAt(address);
  if (first && first !== entry) {
    const message = `${quoted(address)} is named twice`;
    yield { rule: 'repeated-address', part: 'address', message, other: first };
  }
  const other = check.firstWithId(entry);
  if (id !== undefined && other && other.named.address !== address) {
    const message = `${quoted(other.named.address)} and ${quoted(address)} have one id, and one record can't be both`;
    yield { rule: 'repeated-id', part: 'id', message, other };
  }
  if (option !== undefined && !check.firstAt(resource)) {
    const message = 'the id of an option is imported together with that of its classifier';
    const hint = `in a file, name ${quoted(resource)} as well`;
    yield { rule: 'option-alone', part: 'address', message, hint };
  }
}

function* againstState(entry: Entry, check: Check): Iterable<Problem> {
  const { resource, option, known, recordedId, named } = entry;
  const { id = '', address } = named;
  const { flags } = check;
  const forget = `first: trove state forget ${resource}${flags}`;
  const holder = check.holderOf(entry);
  // Two addresses would overwrite one record in turn.
  if (holder !== undefined && holder !== address) {
    const message = `${quoted(id)} is recorded as ${quoted(holder)}, and one record can't be ${quoted(address)} too`;
    yield { rule: 'held-id', part: 'id', message, hint: wayFromHolder(holder, entry, check) };
  }
  if (named.id !== undefined && recordedId !== undefined && recordedId !== id) {
    const message = `${quoted(address)} is recorded already, with the id ${quoted(recordedId)}`;
    const hint = `leave it out if that is right; if it is not, ${forget}`;
    yield { rule: 'recorded-already', part: 'id', message, hint };
  }
  // Options of a recorded classifier came with an answer, by name; only one that is not yet confirmed takes more.
  if (option !== undefined && known?.status === 'live' && recordedId === undefined) {
    const message = `${quoted(resource)} is recorded already, and its answer had no id for option ${quoted(option)}`;
    const hint = `to import it with its options instead, ${forget}`;
    yield { rule: 'recorded-already', part: 'address', message, hint };
  }
  if (option === undefined && check.isPending(resource)) {
    const message = `a create of ${quoted(resource)} was sent, and nobody saw what became of it`;
    const hint = `say there what its id is: trove resolve ${resource}${flags} --id ID`;
    yield { rule: 'pending-create', part: 'address', message, hint };
  }
}

function wayFromHolder(holder: string, { resource, option }: Entry, { flags, isPending }: Check): string {
  if (option !== undefined) return 'check the id';
  return isPending(holder as Address)
    ? `a create of ${quoted(holder)} has an unknown outcome: trove resolve ${holder}${flags} --id ID`
    : `check the id; if it is the same record under a new key: trove state mv ${holder} ${resource}${flags}`;
}

function didYouMean(text: string, candidates: Iterable<string>): string | undefined {
  const meant = nearest(text, candidates);
  return meant && `did you mean ${quoted(meant)}?`;
}
