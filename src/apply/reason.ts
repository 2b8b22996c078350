import type { ServiceError } from '../api/error.ts';

/** For the state: what was seen, in few words, with the id or the place that the answer named. */
export function reasonOf({ status, reason, problem, answeredId, location }: ServiceError): string {
  const seen = status === undefined ? reason : `status ${status}`;
  const named = answeredId === undefined ? '' : `; it names the id ${JSON.stringify(answeredId)}`;
  const led = location === undefined ? '' : `; it points to ${JSON.stringify(location)}`;
  return `${seen}${problem === undefined ? '' : `, ${problem}`}${named}${led}`;
}
