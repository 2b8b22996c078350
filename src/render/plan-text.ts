import { escapeTerminal } from './escape.ts';
import { planView, type Entry, type Section, type ViewAction } from './plan-view.ts';
import { type Style, styleFor } from './style.ts';
import type { Plan } from '../plan/model.ts';

const WIDTH = 80;
const INDENT = ' '.repeat(13);

type Format = Parameters<Style>[0];

const marks: Record<ViewAction, { readonly sign: string; readonly format: Format }> = {
  blocked: { sign: '!', format: 'red' },
  unknown: { sign: '?', format: 'magenta' },
  diverged: { sign: '=', format: 'yellow' },
  create: { sign: '+', format: 'green' },
  replace: { sign: '%', format: 'yellow' },
  adopt: { sign: '&', format: 'cyan' },
  revive: { sign: '^', format: 'cyan' },
  reassert: { sign: '*', format: 'cyan' },
  update: { sign: '~', format: 'yellow' },
  retire: { sign: '-', format: 'gray' },
};

/** A plan for a terminal: 80 columns, readable without colour, every value escaped. */
export function renderPlanText(plan: Plan, color: boolean): string {
  const style = styleFor(color);
  const view = planView(plan);
  return [
    style('bold', escapeTerminal(view.title)),
    ...view.notes.map((note) => style('dim', escapeTerminal(note))),
    ...view.sections.flatMap((section) => ['', ...sectionLines(section, style)]),
    '',
    style('bold', view.summary),
    '',
  ].join('\n');
}

function sectionLines({ action, entries, folded }: Section, style: Style): readonly string[] {
  const { sign, format } = marks[action];
  const label = style(format, `${sign} ${action.padEnd(9)}`);
  const more = folded > 0 ? [`${INDENT}... and ${folded} more; --format json lists them all`] : [];
  const widest = Math.min(30, Math.max(...entries.map(({ address }) => address.length)));
  return [...entries.flatMap((entry) => entryLines(entry, label, widest, style)), ...more];
}

function entryLines(entry: Entry, label: string, widest: number, style: Style): readonly string[] {
  const address = escapeTerminal(entry.address);
  const title = escapeTerminal(entry.title);
  const source = escapeTerminal(entry.source);
  const head = `${address.padEnd(widest)}  ${title}`.trimEnd();
  const gap = WIDTH - 12 - head.length - source.length;
  const line = gap >= 2 ? `${label} ${head}${' '.repeat(gap)}${style('dim', source)}` : `${label} ${head}`;
  const below = gap < 2 && source ? [`${INDENT}${style('dim', source)}`] : [];
  return [line.trimEnd(), ...below, ...fieldLines(entry), ...reasonLines(entry, style)];
}

function fieldLines({ fields }: Entry): readonly string[] {
  const widest = Math.min(24, Math.max(0, ...fields.map(({ path }) => path.length)));
  return fields.flatMap((field) => {
    const path = escapeTerminal(field.path).padEnd(widest);
    const before = escapeTerminal(field.before);
    const after = escapeTerminal(field.after);
    const line = `${INDENT}${path}  ${before} -> ${after}`;
    if (line.length <= WIDTH) return [line];
    return [`${INDENT}${path}  ${before}`, `${INDENT}${' '.repeat(Math.max(0, widest - 1))}-> ${after}`];
  });
}

function reasonLines({ reason, remedies }: Entry, style: Style): readonly string[] {
  return [
    ...(reason ? wrap(escapeTerminal(reason), INDENT, INDENT) : []),
    ...remedies
      .flatMap((remedy) => wrap(escapeTerminal(remedy), `${INDENT}- `, `${INDENT}  `))
      .map((line) => style('dim', line)),
  ];
}

/** Breaks a text at spaces so that lines fit; a single long word is left whole, so that it can be copied. */
export function wrap(text: string, first: string, rest: string): readonly string[] {
  const lines: string[] = [];
  let line = first;
  let empty = true;
  for (const word of text.split(' ')) {
    if (!empty && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = rest + word;
    } else {
      line += empty ? word : ` ${word}`;
    }
    empty = false;
  }
  return [...lines, line];
}
