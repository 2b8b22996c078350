import { escapeTerminal } from './escape.ts';

/**
 * JSON with a final newline, for a program and a terminal alike: what could act on a terminal stands as `\uXXXX`, which
 * is the same value to a parser.
 */
export function renderJson(value: unknown): string {
  const lines = JSON.stringify(value, null, 2).split('\n');
  // JSON has no raw tab, carriage return or escape, so each of these becomes its code point.
  return `${lines.map(escapeTerminal).join('\n')}\n`;
}

/** The same as one line, for a stream of them. */
export function renderJsonLine(value: unknown): string {
  return `${escapeTerminal(JSON.stringify(value))}\n`;
}
