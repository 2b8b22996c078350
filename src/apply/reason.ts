import type { ServiceError } from '../api/outcome.ts';

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

/**
 * The reason of a create that is still open, with what was named before, by an earlier attempt of it or in an earlier
 * run: that may be all that is left of a record.
 */
export function withTraces(reason: string, before: string | undefined): string {
  const traces = /; it (?:names the ID|points to ).*$/s.exec(before ?? '')?.[0] ?? '';
  return reason.includes(traces) ? reason : `${reason}${traces}`;
}
