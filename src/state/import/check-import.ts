import type { Address } from '../../catalog/model.ts';
import { parseAddress } from '../../catalog/parse-address.ts';
import { failure, type Result, success } from '../../text/diagnostic.ts';
import { sortDiagnostics } from '../../text/problem-list.ts';
import type { StateEvent } from '../event.ts';
import { fileRules, notAddresses } from './file-rules.ts';
import type { NamedId, NamedIds } from './named-id.ts';
import type { Entry, ImportContext } from './rule.ts';
import { knownOf, recordedId, stateRules } from './state-rules.ts';

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
  const entries = entriesOf(ids);
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

function entriesOf(ids: readonly NamedId[]): readonly Entry[] {
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
