import type { Address, Catalog, Kind } from '../catalog/model.ts';
import { declarationsOf } from '../resources/registry.ts';
import type { ResourceRecord, State } from '../state/model.ts';
import type { PlanContext } from './context.ts';
import type { Change } from './model.ts';
import { unresolvedCreate } from './obstacles.ts';

/** What is recorded and no longer declared: nothing is sent, since there is no delete, and the id stays. */
export function retirements(kind: Kind, catalog: Catalog, state: State | undefined): readonly Change[] {
  const declared = declarationsOf(catalog, kind);
  const recorded = Object.entries(state?.resources ?? {}) as [Address, ResourceRecord][];
  return recorded.flatMap(([address, record]) => {
    if (!address.startsWith(`${kind}.`)) return [];
    const key = address.slice(kind.length + 1);
    return declared.has(key) ? [] : [retirement(address, kind, key, record)];
  });
}

/** Creates that may or may not have happened, of what is no longer declared: a person still has to say. */
export function undeclaredPending(kind: Kind, context: PlanContext): readonly Change[] {
  const declared = declarationsOf(context.catalog, kind);
  return [...context.pending.values()].flatMap((pending) => {
    const { address } = pending;
    const key = address.slice(kind.length + 1);
    if (!address.startsWith(`${kind}.`) || declared.has(key)) return [];
    const change = { address, kind, key, remoteId: null, fields: [], requests: [], source: null };
    return [{ ...change, action: 'unknown', ...unresolvedCreate(pending, context) }];
  });
}

function retirement(address: Address, kind: Kind, key: string, record: ResourceRecord): Change {
  const change = { address, kind, key, remoteId: record.id, fields: [], requests: [], source: null };
  if (!record.protect) return { ...change, action: 'retire' };
  return {
    ...change,
    action: 'blocked',
    reason: 'it is no longer declared, but it was declared with `lifecycle: { protect: true }`',
    remedies: [
      'declare it again',
      'or declare it once more with `protect: false`, run trove apply, and then remove it',
    ],
  };
}
