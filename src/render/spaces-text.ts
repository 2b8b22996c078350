import type { WireSpaceLink } from '../contract/wire.ts';
import { escapeTerminal } from './escape.ts';
import { alignColumns } from './table.ts';

/** A table of a user's spaces: name, grid, id. */
export function renderSpaces(userId: string, links: readonly WireSpaceLink[]): string {
  if (links.length === 0) return `User ${escapeTerminal(userId)} has no spaces.\n`;
  const rows = links.map(({ space }) =>
    [space.name, `${space.cols} x ${space.rows}`, space.id].map(escapeTerminal),
  );
  return alignColumns([['SPACE', 'GRID', 'ID'], ...rows]);
}
