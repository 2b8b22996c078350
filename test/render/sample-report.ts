import type { ResultKind } from '../../src/apply/model.ts';
import type { Action } from '../../src/plan/model.ts';
import type { ExplainedReport, ExplainedResult } from '../../src/render/messages/explain-plan.ts';
import { serviceError } from '../rig/memory-service.ts';

export const reader = {
  flags: ' -e staging',
  credentials: { usernameFrom: 'TROVE_USERNAME', passwordFrom: 'TROVE_PASSWORD' },
};
const uuid = '6f837093-d6e4-5dc5-ab9b-649548449282';

export function result(
  key: string,
  action: Action,
  kind: ResultKind,
  rest: Partial<ExplainedResult> = {},
): ExplainedResult {
  return { address: `item.${key}`, kind: 'item', action, result: kind, remoteId: uuid, ...rest };
}

const unseen = { ...serviceError, reason: 'timeout', outcome: 'unseen', notTaken: false } as const;

/** Every kind of result, in every form that has words of its own. */
export const everyResult: ExplainedReport = {
  environment: 'staging',
  target: { baseUrl: 'https://game.example/api', teamId: 'team_7' },
  moved: [{ from: 'item.old', to: 'item.new' }],
  protections: [
    { address: 'item.done', protect: true },
    { address: 'item.gone', protect: false },
  ],
  results: [
    result('done', 'create', 'applied'),
    result('gone', 'retire', 'recorded'),
    result('bad', 'create', 'failed', {
      remoteId: null,
      error: { ...serviceError, status: 422, words: 'rollNumerator is not a number' },
    }),
    result('full-disk', 'create', 'unrecorded'),
    result('full-disk-at-an-update-of-a-long-key', 'update', 'unrecorded'),
    result('lost', 'create', 'unknown', { remoteId: null, error: unseen }),
    result('lost-update', 'update', 'unknown', {
      error: { ...unseen, operation: 'updateItem', method: 'PUT', path: `/items/${uuid}` },
    }),
    result('foreign', 'update', 'unknown', {
      remoteId: 'another',
      reason: `the answer names record another, and the update was of ${uuid}`,
    }),
    result('loud', 'update', 'diverged', {
      fields: [{ path: 'name', before: 'LOUD', after: 'Loud', diverged: true }],
    }),
    result('waiting', 'create', 'waiting', {
      remoteId: null,
      reason: 'depends on classifier.tier (unknown)',
    }),
    result('after', 'create', 'not-started', { remoteId: null, reason: 'classifier.tier was not created' }),
    result('later', 'create', 'not-started', { remoteId: null }),
  ],
};
