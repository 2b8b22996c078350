import type { ServiceError } from '../api/error.ts';

/** For the state: what was seen, in few words, with the id that an unreadable answer named. */
export function reasonOf({ status, reason, problem, answeredId }: ServiceError): string {
  const seen = status === undefined ? reason : `status ${status}`;
  const named = answeredId === undefined ? '' : `; it names the id ${JSON.stringify(answeredId)}`;
  return `${seen}${problem === undefined ? '' : `, ${problem}`}${named}`;
}
