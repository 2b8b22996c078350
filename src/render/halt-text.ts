import type { Halt } from '../apply/model.ts';

/** Why nothing more was sent, and what to do about it. Not escaped. */
export function haltText(halt: Halt): string {
  switch (halt.kind) {
    case 'interrupted':
      return 'interrupted. What was under way was finished and recorded; run it again for the rest.';
    case 'canary':
      return 'none of the first writes succeeded, so nothing else was sent.';
    case 'wrong-team':
      return `the service answered for team ${halt.answered}, and the environment names team ${halt.expected}. Check teamId and the credentials.`;
    case 'other-id':
      return `the service was asked to create ${halt.address} as ${halt.asked} and answered ${halt.answered}. If it makes up ids itself, set itemCreate.clientId to ignored; if not, something between changes its answers.`;
    case 'service':
      return 'that would go wrong for every other write too, so nothing else was sent.';
    case 'journal':
      return `the outcome could not be written down (${halt.message}), so nothing else was sent.`;
    case 'state-lost':
      return `this run no longer has the state (${halt.message.replace(/\.$/, '')}), so nothing else was sent.`;
  }
}
