import { pathOf } from '../contract/routes.ts';
import type { Change } from '../plan/model.ts';
import { operations } from '../resources/registry.ts';
import type { Run } from './run.ts';
import type { Sent } from './sent.ts';
import { updateBodyOf } from './target-of.ts';

/**
 * A create with an id that the service honours, repeated and still not seen: one update of that id tells. An
 * answer means that the record is there. Anything else leaves it open, since the create may yet be carried
 * out; the next run sends the same id again.
 */
export async function settleCreate(change: Change, sent: Sent, run: Run): Promise<Sent> {
  const id = String(sent.request.body.id);
  const path = pathOf(operations[change.kind].update, id);
  const request = { method: 'PUT', path, body: updateBodyOf(change, run) } as const;
  const outcome = await run.ports.service.write(request, change.kind, { repeatable: true });
  return outcome.kind === 'answered' && outcome.body.id === id ? { request, outcome } : sent;
}
