import equal from 'fast-deep-equal';
import {
  type Address,
  addressOf,
  type Declared,
  type ItemDeclaration,
  type Kind,
  type OptionDeclaration,
} from '../catalog/model.ts';
import { type FieldDifference, type Fields, groupOf, membersOf } from '../resources/fields.ts';
import { type AnyDeclaration, kinds } from '../resources/registry.ts';
import type { PendingCreate, ResourceRecord, UnconfirmedUpdate } from '../state/model.ts';
import type { Change, FieldChange } from './model.ts';
import type { Blocker, Reason } from './reason.ts';

/** A declared resource, with what the planner asks of it again and again. */
export interface Resource {
  readonly kind: Kind;
  readonly key: string;
  readonly address: Address;
  readonly declared: Declared<AnyDeclaration>;
  readonly declaration: AnyDeclaration;
  readonly desired: Fields;
  /** The ID that an item declares. */
  readonly declaredId: string | undefined;
  /** Groups of fields that are left to others. */
  readonly ignored: readonly string[];
}

export function resourceOf(kind: Kind, declared: Declared<AnyDeclaration>): Resource {
  const { key, declaration } = declared;
  return {
    kind,
    key,
    address: addressOf(kind, key),
    declared,
    declaration,
    desired: kinds[kind].desired(declaration),
    declaredId: (declaration as ItemDeclaration).id,
    ignored: declaration.lifecycle?.ignoreChanges ?? [],
  };
}

/** A change that sends nothing and has no action yet. */
export type Draft = Omit<Change, 'action'>;

/** `fields`: everything that is declared, unless something else is given. */
export function draftOf(
  resource: Resource,
  remoteId: string | null,
  fields = declaredFields(resource),
): Draft {
  const { address, kind, key, declared, declaration } = resource;
  const { source, start } = declared.document.locate(declared.path, 'key');
  const about = { address, kind, key, name: declaration.name, remoteId };
  return { ...about, source: { file: source.path, ...source.positionAt(start) }, fields, requests: [] };
}

export function stopped(draft: Draft, { action, reason }: Blocker, ...others: readonly Reason[]): Change {
  return { ...draft, action, reasons: [reason, ...others] };
}

/** Everything that is declared, as changes from nothing. */
export function declaredFields({ desired }: Resource): readonly FieldChange[] {
  return [...desired.values].map(([path, after]) => ({ path, before: null, after }));
}

/** True where this very value was sent before and the service made something else of it. */
export function wasNotTaken({ path, after }: FieldDifference, { diverged }: ResourceRecord): boolean {
  return diverged !== undefined && Object.hasOwn(diverged, path) && equal(diverged[path], after);
}

/**
 * Whether an update sends once more what was not taken. An option that was renamed is still assigned by its old name: to
 * send the new one again could take it from its items. Where options are replaced, one that the answer left out would be
 * lost if it were not sent.
 */
export function isRepeated({ path, before, after }: FieldDifference, known: Fields): boolean {
  if (groupOf(path) !== 'options') return true;
  const names = membersOf<OptionDeclaration>(known, 'options').map(([, { name }]) => name);
  return before === null && !names.includes((after as OptionDeclaration).name);
}

/** Why a record is in doubt, if it is. */
export function unseenUpdate(unconfirmed: UnconfirmedUpdate | undefined): readonly Reason[] {
  return unconfirmed ? [{ code: 'update-unseen', ...unseen(unconfirmed) }] : [];
}

/** The part of a reason that tells of something whose outcome was not seen. */
export function unseen({ at, reason }: Pick<PendingCreate, 'at' | 'reason'>) {
  return { at, ...(reason !== undefined && { cause: reason }) };
}
