import type { PendingCreate } from '../state/model.ts';
import { escapeTerminal } from './escape.ts';

/** Every create that waits for a person's word: what was sent, when, and what was seen. */
export function renderPending(pending: readonly PendingCreate[]): string {
  if (pending.length === 0) return 'Nothing is pending: the outcome of every create was seen.\n';
  return pending
    .map(({ address, at, request, reason, answer }) =>
      [
        `? ${address}`,
        `    sent      ${at}  ${request.method} ${request.path}`,
        `    name      ${JSON.stringify(request.body.name ?? null)}`,
        `    seen      ${reason ?? 'nothing: the run ended before an answer came'}`,
        ...(answer ? [`    answered  record ${answer.id} of team ${answer.teamId}`] : []),
        `    next      trove resolve ${address} --id ID`,
        `              trove resolve ${address} --not-created`,
        '',
      ]
        .map(escapeTerminal)
        .join('\n'),
    )
    .join('');
}
