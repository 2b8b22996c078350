import { type Address, type Catalog, type Kind, keyOf, kindOf } from '../catalog/model.ts';
import { declaredIn, isDeclared } from '../resources/registry.ts';
import { entriesOf } from '../state/entries.ts';
import type { EntryOf, State } from '../state/model.ts';
import { type Draft, stopped, unseen } from './change.ts';
import type { PlanContext } from './context.ts';
import type { Change, Plan } from './model.ts';
import { blockedBy } from './reason.ts';

/** What is known of one kind and no longer declared. Nothing is sent for it, since there is no delete. */
export function undeclared(kind: Kind, context: PlanContext): readonly Change[] {
  const { catalog, entries, selected } = context;
  const gone = <Entry extends { readonly address: Address }>(all: readonly Entry[]) =>
    all.filter(
      ({ address }) => kindOf(address) === kind && !isDeclared(catalog, address) && selected(address),
    );
  return [
    ...gone(entries.all('pending')).map((pending): Change => {
      const draft = draftOfGone(pending.address, null, pending.request.body.name);
      const reasons = [{ code: 'create-unseen', ...unseen(pending), isProtected: false } as const];
      return { ...draft, action: 'unknown', reasons };
    }),
    // There is no answer yet that could be kept with a retired id.
    ...gone(entries.all('imported')).map(({ address, id }) =>
      stopped(draftOfGone(address, id), blockedBy({ code: 'import-undeclared' })),
    ),
    ...gone(entries.all('live')).map((record) => retirement(record, context)),
  ];
}

/** The id stays recorded, and the record stays in the service. */
function retirement({ address, id, answer, protect }: EntryOf<'live'>, { suspects }: PlanContext): Change {
  const draft = draftOfGone(address, id, answer.name);
  const isProtected = protect && blockedBy({ code: 'protected', against: 'retirement' });
  const blocker = isProtected || suspects.get(address);
  return blocker ? stopped(draft, blocker) : { ...draft, action: 'retire' };
}

/** `name` is what was recorded of it, where that was a text. */
function draftOfGone(address: Address, remoteId: string | null, name?: unknown): Draft {
  const named = typeof name === 'string' && { name };
  const about = { address, kind: kindOf(address), key: keyOf(address), ...named, remoteId };
  return { ...about, fields: [], requests: [], source: null };
}

/** Recorded resources whose `lifecycle.protect` is not what the catalog says now. Nothing is sent for these. */
export function pendingProtections(catalog: Catalog, state: State | undefined): Plan['protections'] {
  return declaredIn(catalog).flatMap(({ address, declaration }) => {
    const record = entriesOf(state).find('live', address);
    const protect = declaration.lifecycle?.protect ?? false;
    return record && (record.protect ?? false) !== protect ? [{ address, protect }] : [];
  });
}
