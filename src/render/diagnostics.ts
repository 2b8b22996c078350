import { styleText } from 'node:util';
import type { Diagnostic } from '../text/diagnostic.ts';
import type { Location } from '../text/source.ts';
import { escapeTerminal } from './escape.ts';
import { excerpt } from './excerpt.ts';
import { WIDTH, wrap, wrapWords } from './wrap.ts';

export interface DiagnosticStyle {
  readonly color: boolean;
  /** Cells that a source line with its number may take; 80 without it. */
  readonly width?: number;
}

type Paint = (style: Parameters<typeof styleText>[0], text: string) => string;

/**
 * Diagnostics as people read them on a terminal, separated by blank lines: what, where with the place
 * underlined, the other ends, and what to do. All text is escaped, whether it comes from a file or a message.
 */
export function renderDiagnostics(diagnostics: readonly Diagnostic[], style: DiagnosticStyle): string {
  const paint: Paint = (format, text) =>
    style.color ? styleText(format, text, { validateStream: false }) : text;
  return diagnostics
    .map((diagnostic) => `${renderOne(diagnostic, paint, style.width ?? 80).join('\n')}\n`)
    .join('\n');
}

function renderOne(diagnostic: Diagnostic, paint: Paint, width: number): string[] {
  const { severity, location, related = [], hint } = diagnostic;
  const tint = severity === 'error' ? 'red' : 'yellow';
  const places = [...(location ? [location] : []), ...related.map((other) => other.location)];
  const gutter = Math.max(1, ...places.map((place) => String(lineOf(place)).length));
  const pad = ' '.repeat(gutter);
  const lines = renderMessage(diagnostic, tint, paint);
  if (location && diagnostic.concealed) lines.push(renderPosition(location, '-->', paint, gutter));
  else if (location) lines.push(...renderPlace(location, '-->', '^', tint, undefined, paint, gutter, width));
  else if (diagnostic.subject !== undefined) lines.push(`${pad}--> ${escapeTerminal(diagnostic.subject)}`);
  for (const other of related) {
    if (diagnostic.concealed) lines.push(renderPosition(other.location, ':::', paint, gutter));
    else lines.push(...renderPlace(other.location, ':::', '-', 'cyan', other.message, paint, gutter, width));
  }
  if (hint !== undefined) lines.push(...wrap(escapeTerminal(hint), `${pad} = help: `, `${pad}         `));
  return lines;
}

/** `error: what is wrong  [rule]`, in as many lines as it needs. */
function renderMessage(
  { severity, message, rule }: Diagnostic,
  tint: 'red' | 'yellow',
  paint: Paint,
): string[] {
  const indent = ' '.repeat(severity.length + 2);
  const texts = wrapWords(escapeTerminal(message), indent, indent).map((line) => line.slice(indent.length));
  const fits = indent.length + (texts.at(-1) ?? '').length + rule.length + 4 <= WIDTH;
  const head = `${paint([tint, 'bold'], severity)}: `;
  const lines = texts.map((text, at) => `${at === 0 ? head : indent}${paint('bold', text)}`);
  if (fits) lines[lines.length - 1] += `  [${rule}]`;
  else lines.push(`${indent}[${rule}]`);
  return lines;
}

function renderPlace(
  { source, start, end }: Location,
  arrow: string,
  mark: string,
  tint: 'red' | 'yellow' | 'cyan',
  label: string | undefined,
  paint: Paint,
  gutter: number,
  width: number,
): string[] {
  const { line, column } = source.positionAt(start);
  const pad = ' '.repeat(gutter);
  const bar = paint('dim', '|');
  const text = source.line(line);
  const shown = excerpt(
    text,
    column - 1,
    Math.min(column - 1 + end - start, text.length),
    width - gutter - 3,
  );
  const underline = paint(
    tint,
    mark.repeat(shown.length) + (label === undefined ? '' : ` ${escapeTerminal(label)}`),
  );
  return [
    renderPosition({ source, start, end }, arrow, paint, gutter),
    `${pad} ${bar}`,
    `${paint('dim', String(line).padStart(gutter))} ${bar} ${shown.text}`.trimEnd(),
    `${pad} ${bar} ${' '.repeat(shown.start)}${underline}`,
  ];
}

function renderPosition({ source, start }: Location, arrow: string, paint: Paint, gutter: number): string {
  const { line, column } = source.positionAt(start);
  return `${' '.repeat(gutter)}${paint('dim', arrow)} ${escapeTerminal(source.path)}:${line}:${column}`;
}

function lineOf({ source, start }: Location): number {
  return source.positionAt(start).line;
}
