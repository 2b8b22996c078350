import { kindOf } from '../catalog/model.ts';
import type { Entries } from '../state/entries.ts';
import type { ResourceRecord } from '../state/model.ts';
import type { NameSources } from './name-sources.ts';

export type KnownIds = Pick<ResourceRecord, 'id' | 'options'>;

/**
 * The classifiers that keys stand for. One that was replaced, or is about to be, goes by its key and `(old)`, so
 * that what is still assigned to it can be told apart, shown and repeated.
 */
export function knownClassifiers({
  entries,
  replaced,
  renewed,
}: Pick<NameSources, 'entries' | 'replaced' | 'renewed'>): ReadonlyMap<string, KnownIds> {
  const known = new Map<string, KnownIds>();
  for (const [address, records] of recordsByAddress(entries)) {
    const key = address.slice('classifier.'.length);
    const current = replaced?.has(address) ? undefined : records.at(-1);
    const former = current ? records.slice(0, -1) : records;
    for (const [at, record] of former.entries())
      known.set(at === 0 ? `${key} (old)` : `${key} (old ${at + 1})`, record);
    if (current) known.set(key, renewed?.size ? withoutRenewed(address, current, renewed) : current);
  }
  return known;
}

/** Each in the order of its records: retired ones, oldest first, then an imported ID, and last the one in use. */
function recordsByAddress(entries: Entries): ReadonlyMap<string, readonly KnownIds[]> {
  const found = new Map<string, KnownIds[]>();
  for (const status of ['retired', 'imported', 'live'] as const) {
    for (const record of entries.all(status)) {
      const { address } = record;
      if (kindOf(address) !== 'classifier') continue;
      const records = found.get(address);
      if (records) records.push(record);
      else found.set(address, [record]);
    }
  }
  return found;
}

function withoutRenewed(
  address: string,
  { id, options = {} }: KnownIds,
  renewed: ReadonlySet<string>,
): KnownIds {
  const kept = Object.entries(options).filter(([option]) => !renewed.has(`${address}.${option}`));
  return { id, options: Object.fromEntries(kept) };
}

/** The options that each classifier was last answered with, by its id, and when. */
export function answeredOptions(entries: Entries) {
  const records = [...entries.all('live'), ...entries.all('retired')];
  const known = new Map<string, { readonly at: string; readonly options: ReadonlySet<string> }>();
  for (const { id, at, answer } of records) {
    if (!('classifierOptions' in answer)) continue;
    known.set(id, { at, options: new Set(answer.classifierOptions.map((option) => option.id)) });
  }
  return known;
}
