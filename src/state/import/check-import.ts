import { type Address, type Catalog, kindOf, parseAddress, type Subject } from '../../catalog/model.ts';
import { isRecordId } from '../../contract/limits.ts';
import { type Diagnostic, error, failure, type Result, success } from '../../text/diagnostic.ts';
import { didYouMean } from '../../text/nearest.ts';
import { ProblemList } from '../../text/problem-list.ts';
import { quoted } from '../../text/quoted.ts';
import { entriesOf, type Holding } from '../entries.ts';
import type { EventOf } from '../event.ts';
import type { State } from '../model.ts';
import type { NamedId, NamedIds } from './import-file.ts';

/** What an import would record, as data: the preview and the recording are made of this one value. */
export interface ImportPlan {
  /** Sorted by address. */
  readonly rows: readonly ImportRow[];
  readonly events: readonly EventOf<'imported'>[];
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
  readonly known: Holding | undefined;
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
    for (const [rule, broken] of Object.entries(rules)) {
      const problem = broken(entry, check);
      if (problem) found.add(() => diagnosticOf(entry, rule, problem));
    }
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

/** What is wrong with an entry. */
interface Problem {
  readonly part: 'address' | 'id';
  readonly message: string;
  /** A function: only worked out for problems that are listed. */
  readonly hint?: string | (() => string);
  /** The other end. */
  readonly other?: Entry;
}

function diagnosticOf({ named }: Entry, rule: string, { part, message, hint, other }: Problem): Diagnostic {
  const location = other?.named.place(part).location;
  return error(rule, message, {
    ...named.place(part),
    ...(hint !== undefined && { hint: typeof hint === 'string' ? hint : hint() }),
    ...(location && { related: [{ role: 'other', location }] }),
  });
}

const declareFirst = 'declare it first, so that it is known what the record should be';

/** What is wrong with an entry by itself, beside the others, and beside what is recorded. */
const rules: Readonly<Record<string, (entry: Entry, check: Check) => Problem | false | undefined>> = {
  undeclared({ resource, option, named: { address } }, { declared, optionsOf, firstAt }) {
    if (!declared.has(resource)) {
      // The line of the classifier itself says it already.
      if (option !== undefined && firstAt(resource)) return undefined;
      const message = `${quoted(resource)} is not declared in the catalog`;
      return { part: 'address', message, hint: () => didYouMean(resource, declared) ?? declareFirst };
    }
    const options = optionsOf(resource);
    if (option === undefined || Object.hasOwn(options, option)) return undefined;
    const message = `option ${quoted(option)} is not declared in ${quoted(resource)}`;
    const others = Object.keys(options).map((each) => `${resource}.${each}`);
    return { part: 'address', message, hint: () => didYouMean(address, others) ?? declareFirst };
  },
  'unusable-id': ({ named: { id } }) =>
    id !== undefined &&
    !isRecordId(id) && {
      part: 'id',
      message: "this can't be the id of a record",
      hint: 'an id has 1 to 191 characters, as the service answers it',
    },
  'repeated-address'(entry, { firstAt }) {
    const { address } = entry.named;
    const other = firstAt(address);
    return (
      other && other !== entry && { part: 'address', message: `${quoted(address)} is named twice`, other }
    );
  },
  'repeated-id'(entry, { firstWithId }) {
    const { id, address } = entry.named;
    const other = firstWithId(entry);
    if (id === undefined || !other || other.named.address === address) return undefined;
    const both = `${quoted(other.named.address)} and ${quoted(address)}`;
    return { part: 'id', message: `${both} have one id, and one record can't be both`, other };
  },
  'option-alone': ({ resource, option }, { firstAt }) =>
    option !== undefined &&
    !firstAt(resource) && {
      part: 'address',
      message: 'the id of an option is imported together with that of its classifier',
      hint: `in a file, name ${quoted(resource)} as well`,
    },
  // Two addresses would overwrite one record in turn.
  'held-id'(entry, check) {
    const { id = '', address } = entry.named;
    const holder = check.holderOf(entry);
    if (holder === undefined || holder === address) return undefined;
    const message = `${quoted(id)} is recorded as ${quoted(holder)}, and one record can't be ${quoted(address)} too`;
    return { part: 'id', message, hint: wayFromHolder(holder, entry, check) };
  },
  'recorded-already'({ resource, option, known, recordedId, named: { address, id } }, { flags }) {
    const forget = `first: trove state forget ${resource}${flags}`;
    if (recordedId !== undefined) {
      if (id === undefined || recordedId === id) return undefined;
      const message = `${quoted(address)} is recorded already, with the id ${quoted(recordedId)}`;
      return { part: 'id', message, hint: `leave it out if that is right; if it is not, ${forget}` };
    }
    // Options of a recorded classifier came with an answer, by name; only one that is not yet confirmed takes more.
    if (option === undefined || known?.status !== 'live') return undefined;
    const message = `${quoted(resource)} is recorded already, and its answer had no id for option ${quoted(option)}`;
    return { part: 'address', message, hint: `to import it with its options instead, ${forget}` };
  },
  'pending-create': ({ resource, option }, { isPending, flags }) =>
    option === undefined &&
    isPending(resource) && {
      part: 'address',
      message: `a create of ${quoted(resource)} was sent, and nobody saw what became of it`,
      hint: `say there what its id is: trove resolve ${resource}${flags} --id ID`,
    },
};

function wayFromHolder(holder: string, { resource, option }: Entry, { flags, isPending }: Check): string {
  if (option !== undefined) return 'check the id';
  return isPending(holder as Address)
    ? `a create of ${quoted(holder)} has an unknown outcome: trove resolve ${holder}${flags} --id ID`
    : `check the id; if it is the same record under a new key: trove state mv ${holder} ${resource}${flags}`;
}
