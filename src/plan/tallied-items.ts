import { type Address, kindOf } from '../catalog/model.ts';
import type { WireItem } from '../contract/wire.ts';
import { groupOf } from '../resources/fields.ts';
import { entriesOf } from '../state/entries.ts';
import type { State } from '../state/model.ts';
import { knownClassifiers } from './known-classifiers.ts';
import type { Action, Change, Plan } from './model.ts';

/** Of an item only what is counted. `options`: classifier key to option keys. */
export interface Counted {
  readonly roll: number | undefined;
  readonly options: ReadonlyMap<string, readonly string[]>;
}

type Items = ReadonlyMap<Address, Counted>;

/** Actions after which the record is as its fields say. */
const written: ReadonlySet<Action> = new Set(['create', 'update', 'replace', 'adopt', 'revive', 'reassert']);

/** What was answered last. */
export function itemsBefore(state: State | undefined): Items {
  const read = reader(state);
  const items = entriesOf(state)
    .all('live')
    .filter(({ address }) => kindOf(address) === 'item');
  return new Map(items.map(({ address, answer }) => [address, read(answer as WireItem)]));
}

/** What is blocked or unknown, or was sent before and not taken, stays as it is. */
export function itemsAfter(before: Items, plan: Plan, state: State | undefined): Items {
  const items = new Map(before);
  const read = reader(state);
  const entries = entriesOf(state);
  for (const change of plan.changes) {
    if (change.kind !== 'item') continue;
    const { address, action } = change;
    if (action === 'retire') items.delete(address);
    if (!written.has(action)) continue;
    const former = entries.find('retired', address)?.answer;
    const base = action === 'revive' && former ? read(former as WireItem) : items.get(address);
    items.set(address, changed(base ?? nothing, change));
  }
  return items;
}

const nothing: Counted = { roll: undefined, options: new Map() };

function changed({ roll, options }: Counted, { fields }: Change): Counted {
  const sent = fields.filter(({ diverged }) => !diverged);
  const next = new Map(options);
  for (const { path, after } of sent.filter(({ path }) => groupOf(path) === 'classifiers')) {
    const classifier = path.slice('classifiers.'.length);
    if (Array.isArray(after)) next.set(classifier, after);
    else next.delete(classifier);
  }
  const wanted = sent.find(({ path }) => path === 'rollNumerator')?.after;
  return { roll: typeof wanted === 'number' ? wanted : roll, options: next };
}

/** Reads an answer in catalog terms: ids that no recorded classifier has are left out. */
function reader(state: State | undefined) {
  const keys = new Map<string, readonly [classifier: string, option: string]>();
  for (const [key, { options = {} }] of knownClassifiers({ entries: entriesOf(state) })) {
    for (const [option, id] of Object.entries(options)) keys.set(id, [key, option]);
  }
  return ({ rollNumerator, classifiers }: WireItem): Counted => {
    const options = new Map<string, string[]>();
    for (const { classifierOption } of classifiers) {
      const [classifier, option] = keys.get(classifierOption.id) ?? [];
      if (classifier === undefined || option === undefined) continue;
      options.set(classifier, [...(options.get(classifier) ?? []), option]);
    }
    return { roll: rollNumerator, options };
  };
}
