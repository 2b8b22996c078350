import { type Address, type Catalog, kindOf, parseAddress } from '../../catalog/model.ts';
import { isRecordId } from '../../contract/limits.ts';
import { type Diagnostic, error, failure, type Result, success } from '../../text/diagnostic.ts';
import { nearest } from '../../text/nearest.ts';
import { problemsIn, sortDiagnostics } from '../../text/problem-list.ts';
import { quoted } from '../../text/quoted.ts';
import type { StateEvent } from '../event.ts';
import type { NamedId, NamedIds } from './import-file.ts';
import {
  type Entry,
  type ImportContext,
  type ImportRule,
  knownOf,
  recordedId,
  stateRules,
} from './recorded-ids.ts';

/** What an import would record, as data: the preview and the recording are made of this one value. */
export interface ImportPlan {
  /** Sorted by address. */
  readonly rows: readonly ImportRow[];
  readonly events: readonly Extract<StateEvent, { type: 'imported' }>[];
}

export interface ImportRow {
  readonly address: string;
  readonly id: string;
  /** `known`: the state has this id for this address already, so there is nothing to record. */
  readonly outcome: 'import' | 'known';
}

/**
 * What importing these ids records, or everything that is wrong with them, sorted by place. `at` is the ISO 8601
 * instant of the import.
 */
export function checkImport(
  { ids, problems }: NamedIds,
  context: ImportContext,
  at: string,
): Result<ImportPlan> {
  const entries = namedEntries(ids);
  const all = [
    ...problems,
    ...notAddresses(ids, context),
    ...[...fileRules, ...stateRules].flatMap((rule) => rule(entries, context)),
  ];
  if (all.length > 0) return failure(...sortDiagnostics(all));
  const rows = entries.map((entry) => rowOf(entry, context));
  return success({
    rows: rows.sort((a, b) => (a.address < b.address ? -1 : 1)),
    events: eventsOf(entries, context, at),
  });
}

function namedEntries(ids: readonly NamedId[]): readonly Entry[] {
  const named = new Map(ids.map(({ address, id }) => [address, id]));
  return ids.flatMap((each) => {
    const subject = parseAddress(each.address);
    return subject ? [{ ...subject, named: each, resourceId: named.get(subject.resource) }] : [];
  });
}

function rowOf(entry: Entry, { known }: ImportContext): ImportRow {
  const { address, id = '' } = entry.named;
  return { address, id, outcome: recordedId(entry, known) === id ? 'known' : 'import' };
}

/** One event for each resource with something new; it has the options that were known before, too. */
function eventsOf(entries: readonly Entry[], context: ImportContext, at: string): ImportPlan['events'] {
  const options = new Map<Address, Map<string, string>>();
  const changed = new Set<Address>();
  for (const entry of entries) {
    const { resource, option, named } = entry;
    const all =
      options.get(resource) ?? new Map(Object.entries(knownOf(entry, context.known)?.options ?? {}));
    options.set(resource, all);
    if (option !== undefined && named.id !== undefined) all.set(option, named.id);
    if (rowOf(entry, context).outcome === 'import') changed.add(resource);
  }
  return entries.flatMap(({ resource, option, resourceId: id }) => {
    if (option !== undefined || id === undefined || !changed.has(resource)) return [];
    const named = options.get(resource) ?? new Map();
    return [
      {
        type: 'imported',
        address: resource,
        at,
        id,
        ...(named.size > 0 && { options: Object.fromEntries(named) }),
      },
    ];
  });
}

function notAddresses(ids: readonly NamedId[], { catalog }: ImportContext): readonly Diagnostic[] {
  const addresses = declaredAddresses(catalog);
  return problemsIn(ids, ({ address, place }) => {
    if (parseAddress(address)) return undefined;
    return () => {
      const form = 'an address is item.KEY, classifier.KEY or classifier.KEY.OPTION';
      const hint = didYouMean(address, addresses) ?? form;
      return error('not-an-address', `${quoted(address)} is no address`, { ...place('address'), hint });
    };
  });
}

const declared: ImportRule = (entries, { catalog }) => {
  const addresses = declaredAddresses(catalog);
  const named = new Set(entries.map(({ named: { address } }) => address));
  return problemsIn(entries, ({ resource, option, named: { place } }) => {
    if (addresses.has(resource)) {
      const options = optionsOf(resource, catalog);
      if (option === undefined || Object.hasOwn(options, option)) return undefined;
      return () => {
        const meant = nearest(option, Object.keys(options));
        const hint = meant ? `did you mean ${quoted(`${resource}.${meant}`)}?` : declareFirst;
        const message = `option ${quoted(option)} is not declared in ${quoted(resource)}`;
        return error('undeclared', message, { ...place('address'), hint });
      };
    }
    // The line of the classifier itself says it already.
    if (option !== undefined && named.has(resource)) return undefined;
    return () => {
      const hint = didYouMean(resource, addresses) ?? declareFirst;
      return error('undeclared', `${quoted(resource)} is not declared in the catalog`, {
        ...place('address'),
        hint,
      });
    };
  });
};

const usable: ImportRule = (entries) =>
  problemsIn(entries, ({ named: { id, place } }) => {
    if (id === undefined || isRecordId(id)) return undefined;
    const hint = 'an id has 1 to 191 characters, as the service answers it';
    return () => error('unusable-id', "this can't be the id of a record", { ...place('id'), hint });
  });

const addressesOnce: ImportRule = (entries) => {
  const firsts = new Map<string, Entry>();
  return problemsIn(entries, (entry) => {
    const { address, place } = entry.named;
    const first = firsts.get(address);
    if (!first) firsts.set(address, entry);
    if (!first) return undefined;
    return () =>
      error('repeated-address', `${quoted(address)} is named twice`, {
        ...place('address'),
        ...theOther(first, 'address'),
      });
  });
};

/** Items, classifiers and options may be numbered each for themselves. */
const idsOnce: ImportRule = (entries) => {
  const firsts = {
    item: new Map<string, Entry>(),
    classifier: new Map<string, Entry>(),
    option: new Map<string, Entry>(),
  };
  return problemsIn(entries, (entry) => {
    const { id, address, place } = entry.named;
    if (id === undefined) return undefined;
    const seen = firsts[entry.option === undefined ? kindOf(entry.resource) : 'option'];
    const first = seen.get(id);
    if (!first) seen.set(id, entry);
    if (!first || first.named.address === address) return undefined;
    const message = `${quoted(first.named.address)} and ${quoted(address)} have one id, and one record can't be both`;
    return () => error('repeated-id', message, { ...place('id'), ...theOther(first, 'id') });
  });
};

const withClassifier: ImportRule = (entries) => {
  const named = new Set(entries.map(({ named: { address } }) => address));
  return problemsIn(entries, ({ resource, option, named: { place } }) => {
    if (option === undefined || named.has(resource)) return undefined;
    const message = 'the id of an option is imported together with that of its classifier';
    const hint = `in a file, name ${quoted(resource)} as well`;
    return () => error('option-alone', message, { ...place('address'), hint });
  });
};

/** What the ids say by themselves and about the catalog. */
const fileRules: readonly ImportRule[] = [declared, usable, addressesOnce, idsOnce, withClassifier];

const declareFirst = 'declare it first, so that it is known what the record should be';

function declaredAddresses({ classifiers, items }: Catalog): ReadonlySet<string> {
  return new Set([
    ...[...classifiers.keys()].map((key) => `classifier.${key}`),
    ...[...items.keys()].map((key) => `item.${key}`),
  ]);
}

function optionsOf(resource: Address, { classifiers }: Catalog): Readonly<Record<string, unknown>> {
  return classifiers.get(resource.slice('classifier.'.length))?.declaration.options ?? {};
}

function didYouMean(text: string, candidates: Iterable<string>): string | undefined {
  const meant = nearest(text, candidates);
  return meant && `did you mean ${quoted(meant)}?`;
}

function theOther(first: Entry, part: 'address' | 'id'): Pick<Diagnostic, 'related'> {
  const { location } = first.named.place(part);
  return location ? { related: [{ message: 'the other', location }] } : {};
}
