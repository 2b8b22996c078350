import { escapeTerminal } from './escape.ts';
import { alignColumns } from './table.ts';

export interface ListedEntry {
  readonly address: string;
  readonly status: string;
  /** Null if it is not known. */
  readonly id: string | null;
  readonly at: string;
}

/** A table of what is recorded. The id comes last, since it may be long; nobody knows that of a pending create.
 * `state show` says since when. */
export function renderStateList(entries: readonly ListedEntry[], environment: string): string {
  if (entries.length === 0) return `Nothing is recorded for ${environment}.\n`;
  const rows = entries.map(({ address, status, id }) => {
    return [address, status, id ?? 'not known'].map(escapeTerminal);
  });
  return alignColumns([['ADDRESS', 'STATUS', 'ID'], ...rows]);
}
