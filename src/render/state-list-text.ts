import type { StateEntry } from '../state/entries.ts';
import { escapeTerminal } from './escape.ts';
import { alignColumns } from './table.ts';

/** A table of what is recorded. The id comes last, since it may be long; nobody knows that of a pending create. */
export function renderStateList(entries: readonly StateEntry[], environment: string): string {
  if (entries.length === 0) return `Nothing is recorded for ${environment}.\n`;
  const rows = entries.map(({ address, status, at, id }) => {
    return [address, status, dayOf(at), id ?? 'not known'].map(escapeTerminal);
  });
  return alignColumns([['ADDRESS', 'STATUS', 'SINCE', 'ID'], ...rows]);
}

/** The day of an ISO 8601 instant; `state show` has the time. */
function dayOf(instant: string): string {
  return instant.slice(0, 'YYYY-MM-DD'.length);
}
