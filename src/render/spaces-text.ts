import type { WireSpaceLink } from '../contract/wire.ts';
import { escapeTerminal } from './escape.ts';

/** A table of a user's spaces: name, grid, id. */
export function renderSpaces(userId: string, links: readonly WireSpaceLink[]): string {
  if (links.length === 0) return `User ${escapeTerminal(userId)} has no spaces.\n`;
  const rows = links.map(({ space }) =>
    [space.name, `${space.cols} x ${space.rows}`, space.id].map(escapeTerminal),
  );
  const table = [['SPACE', 'GRID', 'ID'], ...rows];
  const widths = [0, 1].map((column) => Math.max(...table.map((row) => [...(row[column] ?? '')].length)));
  return table
    .map((row) =>
      row
        .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - [...cell].length)))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}
