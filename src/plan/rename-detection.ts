import { type Address, type Kind, keyOf, kindOf } from '../catalog/model.ts';
import { type Fields, fields, groupOf, withDifferences } from '../resources/fields.ts';
import { declarationsOf, declaredIn, isDeclared, kinds, knownFields } from '../resources/registry.ts';
import { forgottenIds } from '../state/entry.ts';
import type { EntryOf } from '../state/model.ts';
import type { PlanBasis } from './context.ts';
import { isSelected } from './options.ts';
import { type Blocker, blockedBy, type Reason } from './reason.ts';

/**
 * Pairs of a resource that is no longer declared, or whose key now declares something else, and a new one that looks
 * like it, each with why it waits: probably one and the same under a new key. To create it again could not be
 * undone, so a person decides. What an imported ID looks like is unknown, so it makes everything new of its kind suspect.
 */
export function suspectedRenames(basis: PlanBasis): ReadonlyMap<Address, Blocker> {
  const suspects = new Map<Address, Blocker>();
  const removed = removedByLooks(basis);
  const unseen = undeclaredImports(basis);
  if (removed.size === 0 && unseen.length === 0) return suspects;
  // All that have one of these looks are paired already.
  const spent = new Set<string>();
  for (const [address, looks] of added(basis)) {
    const occupant = occupantOf(address, basis);
    // A person has just said which record it is: it is not one that was let go of.
    const isOther = ({ status }: Recorded) => status === 'forgotten' && occupant?.status === 'imported';
    const alike = (look: string) => (removed.get(look) ?? []).filter((each) => !isOther(each));
    const twins = looks.filter((look) => !spent.has(look)).flatMap(alike);
    const free = twins.filter((each) => !suspects.has(each.address));
    const [first] = looks.flatMap((look) => alike(look)[0] ?? []);
    const isBlank = occupant === undefined;
    const known =
      free[0] ?? first ?? (isBlank && unseen.find((each) => kindOf(each.address) === kindOf(address)));
    for (const look of looks) spent.add(look);
    if (!known) continue;
    suspects.set(address, blockedBy(suspicion(known, address, basis)));
    for (const twin of free)
      if (!isEarlier(twin, basis)) suspects.set(twin.address, blockedBy(suspicion(twin, address, basis)));
  }
  return suspects;
}

function suspicion(known: Recorded | EntryOf<'imported'>, to: Address, basis: PlanBasis): Reason {
  const { catalog, entries } = basis;
  const { address: from, status } = known;
  if (status === 'forgotten') return { code: 'forgotten', id: known.id, at: known.at, as: from };
  const kept = isDeclared(catalog, from) ? 'reused' : 'removed';
  const rename = {
    code: 'possible-rename',
    from,
    to,
    former: status === 'imported' ? status : kept,
  } as const;
  const current = entries.record(from);
  if (status === 'retired' && current && current.id !== known.id)
    return { ...rename, former: 'succeeded', id: known.id, successor: current.id };
  return entries.find('imported', to) ? { ...rename, isImported: true } : rename;
}

/** What these look like is unknown, so anything new of their kind may be one of them. */
function undeclaredImports({ catalog, entries }: PlanBasis): readonly EntryOf<'imported'>[] {
  return entries.all('imported').filter(({ address }) => !isDeclared(catalog, address));
}

/** What each look may have been; also what no target selects: the new one may be targeted alone. */
function removedByLooks(basis: PlanBasis): ReadonlyMap<string, readonly Recorded[]> {
  const recorded = recordedIn(basis);
  const isStaying = ({ address }: Recorded) => isDeclared(basis.catalog, address);
  const removed = recorded.filter((each) => !isStaying(each));
  const found = new Map<string, Recorded[]>();
  const add = (look: string, entry: Recorded) => {
    const alike = found.get(look);
    if (alike) alike.push(entry);
    else found.set(look, [entry]);
  };
  for (const each of recorded.filter((each) => isReused(each, basis)))
    for (const look of new Set(looksOfRecorded(each, basis).full)) add(look, each);
  if (removed.length === 0) return found;
  const stay = recorded.filter((each) => isStaying(each) && !isEarlier(each, basis));
  const staying = stay.map((each) => looksOfRecorded(each, basis));
  const wholes = new Set(staying.flatMap(({ whole }) => whole));
  const parts = new Set(staying.flatMap(({ partial }) => partial));
  for (const each of removed) {
    const { names, whole, partial } = looksOfRecorded(each, basis);
    // What others that stay look like, too, tells nothing; a name always does.
    const telling = [
      ...whole.filter((look) => !wholes.has(look)),
      ...partial.filter((look) => !wholes.has(look) && !parts.has(look)),
    ];
    for (const look of new Set([...names, ...telling])) add(look, each);
  }
  return found;
}

/** True of what was recorded under a key that now declares another name. Only what looks like it in everything may be it. */
function isReused(entry: Recorded, basis: PlanBasis): boolean {
  const declared = declarationsOf(basis.catalog, kindOf(entry.address)).get(keyOf(entry.address));
  return declared !== undefined && !isNamed(entry, declared.declaration.name, basis);
}

type Forgotten = EntryOf<'forgotten'> & { readonly name?: string | undefined };

type Recorded = EntryOf<'live' | 'retired' | 'pending'> | Forgotten;

function nameOf(entry: Recorded): unknown {
  if (entry.status === 'pending') return entry.request.body.name;
  return entry.status === 'forgotten' ? entry.name : entry.answer.name;
}

function isNamed(entry: Recorded, name: unknown, basis: PlanBasis): boolean {
  if (name === nameOf(entry)) return true;
  return looksOfRecorded(entry, basis).names.includes(`${kindOf(entry.address)} ${nameLook(name)}`);
}

/** Records without a successor, creates that may have happened, and IDs that were let go of and that nothing has now. */
function recordedIn(basis: PlanBasis): readonly Recorded[] {
  const { entries } = basis;
  const retired = entries.all('retired').filter((each) => !isSucceeded(each, basis));
  const forgotten = entries.all('forgotten').flatMap((entry): readonly Forgotten[] => {
    const ids = forgottenIds(entry).filter((id) => !entries.holderOf(kindOf(entry.address), id));
    return ids.map((id) => ({ ...entry, id, name: entry.names?.[id] }));
  });
  return [...entries.all('live'), ...retired, ...entries.all('pending'), ...forgotten];
}

/** Whether the same thing has another record now. One that came to its address under another name is something else. */
function isSucceeded(entry: EntryOf<'retired'>, basis: PlanBasis): boolean {
  const current = basis.entries.record(entry.address);
  if (!current || current.status === 'imported' || current.id === entry.id) return false;
  return isNamed(entry, nameOf(current), basis);
}

/** Whether something else has its address by now, which goes on as it is. */
function isEarlier(entry: Recorded, { entries }: PlanBasis): boolean {
  if (entry.status === 'forgotten') return entries.at(entry.address)[0]?.status !== 'forgotten';
  return entry.status === 'retired' && entries.record(entry.address) !== entry;
}

interface RecordedLooks {
  readonly names: readonly string[];
  readonly whole: readonly string[];
  /** Without groups that a declaration may leave out: they are no part of how a new one looks. */
  readonly partial: readonly string[];
  /** Names and everything else that is known, at once. */
  readonly full: readonly string[];
}

/** A record looks as it was answered, and as it was wanted, where the service made something else of it. */
function looksOfRecorded(entry: Recorded, { names }: PlanBasis): RecordedLooks {
  const kind = kindOf(entry.address);
  const namedAs = (...all: readonly unknown[]) => ofKind(kind, all.map(nameLook));
  if (entry.status === 'pending' || entry.status === 'forgotten') {
    const names = namedAs(nameOf(entry));
    return { names, whole: [], partial: [], full: names };
  }
  const { diverged = {}, unconfirmed } = entry;
  const answered = knownFields(kind, entry, names);
  const notTaken = Object.entries(diverged).map(([path, after]) => ({ path, before: null, after }));
  const versions = [answered, ...(notTaken.length > 0 ? [withDifferences(answered, notTaken)] : [])];
  const partial: Fields[] = [];
  for (const group of answered.groups)
    if (!kinds[kind].required.has(group))
      partial.push(...[...versions, ...partial].map((each) => withoutGroup(each, group)));
  const renamed = unconfirmed ? [unconfirmed.request.body.name] : [];
  const lookOf = (all: readonly Fields[]) =>
    ofKind(
      kind,
      all.flatMap((each) => restLook(each)),
    );
  return {
    names: namedAs(...versions.map(({ values }) => values.get('name')), ...renamed),
    whole: lookOf(versions),
    partial: lookOf(partial),
    full: ofKind(kind, versions.map(fullLook)),
  };
}

function withoutGroup({ groups, values }: Fields, left: string): Fields {
  return fields(
    [...groups].filter((group) => group !== left),
    [...values].filter(([path]) => groupOf(path) !== left),
  );
}

type Looking = readonly [address: Address, looks: readonly string[]];

/** Only what is of one kind looks alike. */
function ofKind(kind: Kind, looks: readonly string[]): readonly string[] {
  return looks.map((look) => `${kind} ${look}`);
}

/**
 * What nothing is recorded of, or only something else of before, or an ID that was never answered. Under its former key,
 * fields whose changes are ignored may have had any value.
 */
function added(basis: PlanBasis): readonly Looking[] {
  const { catalog, planOptions } = basis;
  const isNew = (address: Address) => {
    const occupant = occupantOf(address, basis);
    if (occupant?.status === 'live') return false;
    return !occupant || occupant.status === 'imported' || isReused(occupant, basis);
  };
  return declaredIn(catalog)
    .filter(({ address }) => isNew(address) && !isSelected(planOptions.confirmNew, address))
    .map(({ kind, address, declaration }) => {
      const desired = kinds[kind].desired(declaration);
      const compared = (declaration.lifecycle?.ignoreChanges ?? []).reduce(withoutGroup, desired);
      return [address, ofKind(kind, [...looksOf(desired), ...restLook(compared), fullLook(compared)])];
    });
}

/** What the declaration of an address would be taken for. */
function occupantOf(address: Address, { entries }: PlanBasis) {
  return entries.find('live', address) ?? entries.find('pending', address) ?? entries.record(address);
}

/** Texts, and members such as options and attributes, that tell one resource from another. */
const TELLING_VALUES = 2;

/**
 * What a person would know it again by: its name, however it is written, and everything else that tells resources
 * apart, if that is enough. A default is as good as no value, and numbers and flags tell nothing.
 */
export function looksOf(fields: Fields): readonly string[] {
  return [nameLook(fields.values.get('name')), ...restLook(fields)];
}

function restLook(fields: Fields): readonly string[] {
  const rest = tellingValues(fields);
  return rest.length >= TELLING_VALUES ? [JSON.stringify(rest, withSortedKeys)] : [];
}

function fullLook(fields: Fields): string {
  return `${nameLook(fields.values.get('name'))} ${JSON.stringify(tellingValues(fields), withSortedKeys)}`;
}

function tellingValues({ values }: Fields) {
  return [...values].filter(([path, value]) => path !== 'name' && isTelling(value)).sort();
}

/** A value from a state has its keys in another order than a declared one. */
function withSortedKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function isTelling(value: unknown): boolean {
  if (typeof value === 'object' && value !== null)
    return Object.values(value).some((each) => isTelling(each) || (typeof each === 'number' && each !== 0));
  return typeof value === 'string' && value !== '';
}

function nameLook(name: unknown): string {
  return `name ${JSON.stringify(typeof name === 'string' ? name.trim().toLowerCase() : name)}`;
}
