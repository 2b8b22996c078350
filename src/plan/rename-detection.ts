import { type Address, addressOf, type Declared, type Kind, kindOf } from '../catalog/model.ts';
import { type Fields, fields, groupOf, withDifferences } from '../resources/fields.ts';
import { knownFields } from '../resources/known-fields.ts';
import { type AnyDeclaration, declarationsOf, kindOrder, kinds } from '../resources/registry.ts';
import type { EntryOf } from '../state/model.ts';
import type { Blocker } from './blockers.ts';
import type { PlanBasis, PlanContext } from './context.ts';
import { declaredFields, subject } from './create.ts';
import type { Change } from './model.ts';
import { isSelected } from './options.ts';

/**
 * Pairs of a resource that is no longer declared and a new one that looks like it, each by the other: probably one
 * and the same under a new key. To create it again could not be taken back, so a person has to say. Of an imported id
 * nobody knows what it looks like: everything new is suspected by it, and it by nothing.
 */
export function suspectedRenames(basis: PlanBasis): ReadonlyMap<Address, Address> {
  const pairs = new Map<Address, Address>();
  for (const kind of kindOrder) {
    const removed = removedByLooks(kind, basis);
    const unseen = undeclaredImport(kind, basis);
    if (removed.size === 0 && unseen === undefined) continue;
    // All that have one of these looks are paired already.
    const spent = new Set<string>();
    for (const { address, looks } of added(kind, basis)) {
      const twins = looks.filter((look) => !spent.has(look)).flatMap((look) => removed.get(look) ?? []);
      const free = twins.filter((each) => !pairs.has(each));
      const [first] = looks.flatMap((look) => removed.get(look)?.[0] ?? []);
      const suspect = free[0] ?? first ?? unseen;
      for (const look of looks) spent.add(look);
      if (suspect === undefined) continue;
      pairs.set(address, suspect);
      for (const twin of free) pairs.set(twin, address);
    }
  }
  return pairs;
}

/** The create that waits for a person's word; undefined where nothing looks like it. */
export function suspectedCreate(
  kind: Kind,
  declared: Declared<AnyDeclaration>,
  context: PlanContext,
): Change | undefined {
  const about = subject(kind, declared, null);
  const from = context.suspects.get(about.address);
  if (from === undefined) return undefined;
  const fields = declaredFields(kind, declared.declaration);
  const { action, reason } = suspicion(from, about.address, context);
  return { ...about, fields, requests: [], action, reasons: [reason] };
}

/** The same for both halves of a suspected rename. */
export function suspicion(from: Address, to: Address, { entries }: Pick<PlanBasis, 'entries'>): Blocker {
  const isImported = entries.find('imported', from) !== undefined;
  return { action: 'blocked', reason: { code: 'possible-rename', from, to, isImported } };
}

/** Nobody has seen what it looks like, so anything new may be it. */
function undeclaredImport(kind: Kind, { catalog, entries }: PlanBasis): Address | undefined {
  const declared = declarationsOf(catalog, kind);
  return entries
    .all('imported')
    .find(({ address }) => kindOf(address) === kind && !declared.has(address.slice(kind.length + 1)))
    ?.address;
}

/** What each look may have been; also what no target selects: the new one may be targeted alone. */
function removedByLooks(kind: Kind, basis: PlanBasis): ReadonlyMap<string, readonly Address[]> {
  const declared = declarationsOf(basis.catalog, kind);
  const isDeclared = ({ address }: Recorded) => declared.has(address.slice(kind.length + 1));
  const recorded = recordedOf(kind, basis);
  const removed = recorded.filter((each) => !isDeclared(each));
  const found = new Map<string, Address[]>();
  if (removed.length === 0) return found;
  // What others that stay look like, too, tells nothing; a name always does.
  const others = recorded.filter(isDeclared).flatMap((each) => looksOfRecorded(kind, each, basis));
  const common = new Set(others.filter((look) => !isName(look)));
  for (const each of removed) {
    for (const look of looksOfRecorded(kind, each, basis)) {
      if (common.has(look)) continue;
      const alike = found.get(look);
      if (alike) alike.push(each.address);
      else found.set(look, [each.address]);
    }
  }
  return found;
}

type Recorded = EntryOf<'live' | 'retired' | 'pending'>;

/** Records in use, those retired without a successor, and creates that may have happened. */
function recordedOf(kind: Kind, { entries }: PlanBasis): readonly Recorded[] {
  const retired = entries.all('retired').filter(({ address }) => !entries.find('live', address));
  const all = [...entries.all('live'), ...retired, ...entries.all('pending')];
  return all.filter(({ address }) => kindOf(address) === kind);
}

/**
 * A record looks as it was answered, and as it was wanted, where the service made something else of it. A group that a
 * declaration may leave out is no part of how the new one looks, so the record is also looked at without it.
 */
function looksOfRecorded(kind: Kind, entry: Recorded, { names }: PlanBasis): readonly string[] {
  if (entry.status === 'pending') return [nameLook(entry.request.body.name)];
  const { diverged = {}, unconfirmed } = entry;
  const answered = knownFields(kind, entry, names);
  const notTaken = Object.entries(diverged).map(([path, after]) => ({ path, before: null, after }));
  const versions = [answered, ...(notTaken.length > 0 ? [withDifferences(answered, notTaken)] : [])];
  for (const group of answered.groups)
    if (!kinds[kind].required.has(group)) versions.push(...versions.map((each) => withoutGroup(each, group)));
  const renamed = unconfirmed ? [nameLook(unconfirmed.request.body.name)] : [];
  return [...new Set([...versions.flatMap(looksOf), ...renamed])];
}

function withoutGroup({ groups, values }: Fields, left: string): Fields {
  return fields(
    [...groups].filter((group) => group !== left),
    [...values].filter(([path]) => groupOf(path) !== left),
  );
}

function added(kind: Kind, basis: PlanBasis) {
  const { catalog, entries, planOptions } = basis;
  return [...declarationsOf(catalog, kind)].flatMap(([key, { declaration }]) => {
    const address = addressOf(kind, key);
    const isKnown = entries.at(address).some(({ status }) => status !== 'forgotten');
    if (isKnown || isSelected(planOptions.confirmNew, address)) return [];
    return [{ address, looks: looksOf(kinds[kind].desired(declaration)) }];
  });
}

/** Texts, and members such as options and attributes, that tell one resource from another. */
const TELLING_VALUES = 2;

/**
 * What a person would know it again by: its name, however it is written, and everything else that tells resources
 * apart, if that is enough. A default is as good as no value, and numbers and flags tell nothing.
 */
export function looksOf({ values }: Fields): readonly string[] {
  const rest = [...values].filter(([path, value]) => path !== 'name' && isTelling(value)).sort();
  const name = nameLook(values.get('name'));
  return rest.length >= TELLING_VALUES ? [name, JSON.stringify(rest)] : [name];
}

function isTelling(value: unknown): boolean {
  if (typeof value === 'object' && value !== null)
    return Object.values(value).some((each) => isTelling(each) || (typeof each === 'number' && each !== 0));
  return typeof value === 'string' && value !== '';
}

const NAME = 'name ';

function isName(look: string): boolean {
  return look.startsWith(NAME);
}

function nameLook(name: unknown): string {
  return `${NAME}${JSON.stringify(typeof name === 'string' ? name.trim().toLowerCase() : name)}`;
}
