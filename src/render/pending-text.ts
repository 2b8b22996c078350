import { isReservedKey, keyOf } from '../catalog/model.ts';
import type { SameIdAgain } from '../plan/create.ts';
import type { PendingCreate } from '../state/model.ts';
import { escapeTerminal } from './escape.ts';
import { wrapWords } from './wrap.ts';

/** A create whose outcome nobody saw, and whether it can be sent once more with its id. */
export interface ShownPending {
  readonly create: PendingCreate;
  readonly again: SameIdAgain;
}

/** Every create that waits for a person's word: what was sent, when, and what was seen. */
export function renderPending(pending: readonly ShownPending[], flags: string): string {
  if (pending.length === 0) return 'Nothing is pending: the outcome of every create was seen.\n';
  const command = (address: string) => escapeTerminal(`trove resolve ${address}${flags}`);
  return pending
    .map(({ create: { address, at, request, reason, answer }, again }) =>
      [
        `? ${escapeTerminal(address)}`,
        ...field('sent', `${at}  ${request.method} ${request.path}`),
        ...field('name', JSON.stringify(request.body.name ?? null)),
        ...field('seen', reason ?? 'nothing: the run ended before an answer came'),
        ...(answer ? field('answered', `record ${answer.id} of team ${answer.teamId}`) : []),
        ...waysOut(address, again, command(address), escapeTerminal(flags)),
        '',
      ].join('\n'),
    )
    .join('');
}

const conditions = {
  settles: 'which sends the same id again',
  perhaps: 'where the service honours ids',
} as const;

/** What settles by itself comes first; a person's word is for the rest. */
function waysOut(address: string, again: SameIdAgain, resolve: string, flags: string): readonly string[] {
  const steps = [
    ...(again === 'never' ? [] : [`${sender(address)}${flags}, ${conditions[again]}; else`]),
    `${resolve} --id ID`,
    `${resolve} --not-created`,
  ];
  return steps.map((step, at) => `    ${(at === 0 ? 'next' : '').padEnd(10)}${step}`);
}

/** The command that sends the same create again. */
function sender(address: string): string {
  return isReservedKey(keyOf(address)) ? 'trove probe' : 'trove apply';
}

function field(label: string, text: string): readonly string[] {
  return wrapWords(escapeTerminal(text), `    ${label.padEnd(10)}`, ' '.repeat(14));
}
