import type { ServiceError } from '../api/error.ts';

/** For the state: what was seen, in few words, with the id or the place that the answer named. */
export function reasonOf({ status, reason, problem, answeredIds = [], location }: ServiceError): string {
  const seen = status === undefined ? reason : `status ${status}`;
  const ids = answeredIds.map((id) => JSON.stringify(id)).join(' and ');
  const named = ids === '' ? '' : `; it names the id ${ids}`;
  const led = location === undefined ? '' : `; it points to ${JSON.stringify(location)}`;
  return `${seen}${problem === undefined ? '' : `, ${problem}`}${named}${led}`;
}
