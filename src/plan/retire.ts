import { type Address, addressOf, type Catalog, type Kind } from '../catalog/model.ts';
import { declarationsOf, kindOrder } from '../resources/registry.ts';
import { entriesOf } from '../state/entries.ts';
import type { StateEvent } from '../state/event.ts';
import type { LiveRecord, State } from '../state/model.ts';
import { unseen } from './blockers.ts';
import type { PlanContext } from './context.ts';
import type { Change } from './model.ts';
import { suspicion } from './rename-detection.ts';

/** What is known of one kind and no longer declared. Nothing is sent for it, since there is no delete. */
export function undeclared(kind: Kind, context: PlanContext): readonly Change[] {
  return [
    ...undeclaredPending(kind, context),
    ...undeclaredImports(kind, context),
    ...retirements(kind, context),
  ];
}

/** Creates that may or may not have happened: a person still has to say. */
function undeclaredPending(kind: Kind, context: PlanContext): readonly Change[] {
  return context.entries.all('pending').flatMap((pending) => {
    if (isDeclared(kind, pending.address, context)) return [];
    const gone = goneFrom(kind, pending.address, null, pending.request.body.name);
    const reason = { code: 'create-unseen', ...unseen(pending), isProtected: false } as const;
    return [{ ...gone, action: 'unknown', reasons: [reason] }];
  });
}

/** There is no answer yet that could be kept with a retired id. */
function undeclaredImports(kind: Kind, context: PlanContext): readonly Change[] {
  return context.entries.all('imported').flatMap(({ address, id }) => {
    if (isDeclared(kind, address, context)) return [];
    const reasons = [{ code: 'import-undeclared' } as const];
    return [{ ...goneFrom(kind, address, id), action: 'blocked', reasons }];
  });
}

/** The id stays recorded, and the record stays in the service. */
function retirements(kind: Kind, context: PlanContext): readonly Change[] {
  return context.entries
    .all('live')
    .flatMap((record) =>
      isDeclared(kind, record.address, context) ? [] : [retirement(kind, record, context)],
    );
}

function retirement(kind: Kind, record: LiveRecord, context: PlanContext): Change {
  const { address } = record;
  const change = goneFrom(kind, address, record.id, record.answer.name);
  if (record.protect)
    return { ...change, action: 'blocked', reasons: [{ code: 'protected', against: 'retirement' }] };
  const twin = context.suspects.get(address);
  if (!twin) return { ...change, action: 'retire' };
  const { action, reason } = suspicion(address, twin, context);
  return { ...change, action, reasons: [reason] };
}

/** True for other kinds as well: they have their own turn. */
function isDeclared(kind: Kind, address: Address, { catalog }: PlanContext): boolean {
  return !address.startsWith(`${kind}.`) || declarationsOf(catalog, kind).has(address.slice(kind.length + 1));
}

/** `name` is what was recorded of it, where that was a text. */
function goneFrom(kind: Kind, address: Address, remoteId: string | null, name?: unknown) {
  const key = address.slice(kind.length + 1);
  const named = typeof name === 'string' && { name };
  return { address, kind, key, ...named, remoteId, fields: [], requests: [], source: null };
}

export type Protection = Extract<StateEvent, { type: 'protection' }>;

/** Recorded resources whose `lifecycle.protect` is not what the catalog says now. Nothing is sent for these. */
export function pendingProtections(catalog: Catalog, state: State): readonly Protection[] {
  const entries = entriesOf(state);
  return kindOrder.flatMap((kind) =>
    [...declarationsOf(catalog, kind)].flatMap(([key, { declaration }]) => {
      const address: Address = addressOf(kind, key);
      const record = entries.find('live', address);
      const protect = declaration.lifecycle?.protect ?? false;
      return record && (record.protect ?? false) !== protect
        ? [{ type: 'protection', address, protect }]
        : [];
    }),
  );
}
