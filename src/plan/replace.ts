import { type Address, addressOf, type Declared, type ItemDeclaration, type Kind } from '../catalog/model.ts';
import { classifier } from '../resources/classifier.ts';
import { differences, type FieldDifference } from '../resources/fields.ts';
import { knownFields } from '../resources/known-fields.ts';
import { type AnyDeclaration, kinds } from '../resources/registry.ts';
import type { ResourceRecord } from '../state/model.ts';
import { type Blocker, createBlocker } from './blockers.ts';
import type { HeldOptions, PlanBasis, PlanContext } from './context.ts';
import { createRequest, declaredFields, heldId, subject } from './create.ts';
import { wantedChanges, wasNotTaken } from './differences.ts';
import type { Change } from './model.ts';

/**
 * Classifiers that are created anew: asked for, or declared with `onBlocked: replace` and blocked. It has to be known
 * before any item is compared, since the IDs of the options that items are assigned to change with it.
 */
export function replacedClassifiers(basis: PlanBasis, { held }: HeldOptions): ReadonlySet<Address> {
  const { catalog, entries, planOptions, profile } = basis;
  const found = new Set<Address>();
  for (const [key, declared] of catalog.classifiers) {
    const address = addressOf('classifier', key);
    const live = entries.find('live', address);
    const record = live ?? entries.find('retired', address);
    const { protect, onBlocked } = declared.declaration.lifecycle ?? {};
    if (!record || record.protect || protect || !basis.selected(address)) continue;
    if (entries.find('pending', address) || entries.find('imported', address)) continue;
    const isBlocking = (difference: FieldDifference) =>
      !wasNotTaken(difference, record) &&
      (classifier.obstacle(difference, profile) ??
        held.get(`${address}.${difference.path.slice('options.'.length)}`));
    const isBlocked = () => wantedChanges('classifier', declared, record, basis).some(isBlocking);
    const isAsked = live !== undefined && planOptions.replace.includes(address);
    if (isAsked || (onBlocked === 'replace' && isBlocked())) found.add(address);
  }
  return found;
}

/**
 * A second record in place of the one that is recorded. Its answer retires the old one in the
 * books. What refers to a classifier follows in the same plan, after the new one exists, so nothing is ever
 * without the option that it is assigned to.
 */
export function replacementOf(
  kind: Kind,
  declared: Declared<AnyDeclaration>,
  record: ResourceRecord,
  context: PlanContext,
): Change {
  const { declaration, key } = declared;
  const before = knownFields(kind, record, context.names);
  const fields = differences(before, kinds[kind].desired(declaration));
  const change = { ...subject(kind, declared, record.id), fields, requests: [] };
  const blocker =
    replaceBlocker(kind, declared, record, context) ??
    createBlocker(change.address, declaredFields(kind, declaration), context);
  if (blocker) return { ...change, action: blocker.action, reasons: [blocker.reason] };
  const id = kind === 'item' ? context.clientIds.nextFor(key, declaration as ItemDeclaration) : undefined;
  return {
    ...change,
    action: 'replace',
    reasons: [{ code: 'replaced', id: record.id, ...oldOptions(kind, context) }],
    requests: [createRequest(kind, declaration, id, context)],
  };
}

/** Where assignments are merged, nothing can take the old ones away from an item. */
function oldOptions(kind: Kind, { profile }: PlanContext) {
  if (kind === 'item' || profile['itemUpdate.assignments'] === 'replace') return {};
  const isKnown = profile['itemUpdate.assignments'] === 'merge';
  return { oldOptions: isKnown ? ('kept' as const) : ('perhaps-kept' as const) };
}

function replaceBlocker(
  kind: Kind,
  declared: Declared<AnyDeclaration>,
  { id, protect }: ResourceRecord,
  context: PlanContext,
): Blocker | undefined {
  const { declaration, key } = declared;
  if (protect || declaration.lifecycle?.protect)
    return { action: 'blocked', reason: { code: 'protected', against: 'replacement' } };
  const wanted = (declaration as ItemDeclaration).id;
  const former = context.entries.at(addressOf(kind, key)).filter(({ status }) => status === 'retired');
  if (![id, ...former.map((each) => 'id' in each && each.id)].some((each) => each === wanted))
    return heldId(kind, declared, context);
  return { action: 'blocked', reason: { code: 'id-declared', id: wanted ?? id } };
}
