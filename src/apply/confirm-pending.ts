import { type Address, type Catalog, kindOf } from '../catalog/model.ts';
import { pathOf } from '../contract/routes.ts';
import { namesFrom } from '../plan/names.ts';
import { fields } from '../resources/fields.ts';
import { operations, updateFromCreate } from '../resources/registry.ts';
import type { PendingCreate } from '../state/model.ts';
import { lacksOptions } from './distrust.ts';
import type { WriterPorts, Written } from './model.ts';
import { recordOf } from './record.ts';
import { Writer } from './writer.ts';

/** `held`: nothing was sent. The ID was known before, so it is not what the create made, and would be overwritten. */
export type Confirmed = Written | { readonly kind: 'held'; readonly holder: Address };

/**
 * Records `id` for a create whose outcome nobody saw, once the service has confirmed it by answering an update
 * that repeats what was created: there is no read, and only an answer has the IDs of options.
 */
export async function confirmPending(
  { address, request: created }: PendingCreate,
  id: string,
  ports: WriterPorts & { readonly catalog: Catalog },
): Promise<Confirmed> {
  const { catalog, environment, recorder } = ports;
  const kind = kindOf(address);
  const holder = recorder.entries.holderOf(kind, id);
  if (holder !== undefined) return { kind: 'held', holder };
  const path = pathOf(operations[kind].update, id);
  const writer = new Writer(ports);
  return writer.update({
    address,
    request: { method: 'PUT', path, body: updateFromCreate(kind, created.body) },
    expects: id,
    // Where an update of an ID that nobody has creates it, a slip of the keyboard gives an empty classifier.
    distrust: (answer) =>
      lacksOptions(created.body, answer) ? { code: 'no-options', id: answer.id } : undefined,
    verify(answer, request, at) {
      const key = address.slice(kind.length + 1);
      const names = namesFrom({ catalog, entries: recorder.entries, attributeIds: environment.attributes });
      const previous = recorder.entries.record(address);
      const target = fields([], []);
      return recordOf({ kind, key, request, answer, target, previous, at }, catalog, names);
    },
  });
}
