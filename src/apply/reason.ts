import type { ServiceError } from '../api/outcome.ts';
import type { Address } from '../catalog/model.ts';
import type { AnyAnswer } from '../resources/registry.ts';

/** Why an answer can't be one to the request that was sent. */
export type Distrust =
  | { readonly code: 'wrong-team'; readonly expected: string }
  | { readonly code: 'other-id'; readonly expected: string }
  /** It names the very record that was to be replaced. */
  | { readonly code: 'replaced-record' }
  /** It names a record of another address. */
  | { readonly code: 'held'; readonly holder: Address }
  /** The classifier has none of the options that were sent with its create. */
  | { readonly code: 'no-options' };

/** For the state: what was seen, with the beginning of the answer and the ids or the place that it names. */
export function seenReason({ status, reason, problem, words, ...named }: ServiceError): string {
  const seen = status === undefined ? reason : `status ${status}`;
  const said = words ? ` - "${words}"` : '';
  return `${seen}${problem === undefined ? '' : `, ${problem}`}${said}${traceOf(named)}`;
}

/** The ids, or the place, that an answer names which can't be read as one. */
export function traceOf({
  answeredIds = [],
  location,
}: Pick<ServiceError, 'answeredIds' | 'location'>): string {
  const ids = answeredIds.map((id) => JSON.stringify(id)).join(' and ');
  const named = ids === '' ? '' : `; it names the ID${answeredIds.length > 1 ? 's' : ''} ${ids}`;
  return `${named}${location === undefined ? '' : `; it points to ${JSON.stringify(location)}`}`;
}

export function distrustReason({ id, teamId }: AnyAnswer, distrust: Distrust): string {
  switch (distrust.code) {
    case 'wrong-team':
      return `the answer names team ${teamId} (record ${id}), and this environment is team ${distrust.expected}`;
    case 'other-id':
      return `the answer names record ${id}, and the request was for ${distrust.expected}`;
    case 'replaced-record':
      return `the answer names record ${id}, which is the one to be replaced`;
    case 'held':
      return `the answer names record ${id}, which is ${distrust.holder}`;
    case 'no-options':
      return `the record ${id} has none of the options that were sent`;
  }
}
