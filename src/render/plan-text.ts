import type { Guard, Plan } from '../plan/model.ts';
import {
  type Entry,
  type Group,
  type PlanView,
  planView,
  type Section,
  type ViewAction,
} from './plan-view.ts';
import { escapeTerminal, harmless, type Style, styleFor, WIDTH, wrap, wrapWords } from './terminal.ts';

const INDENT = ' '.repeat(13);

type Format = Parameters<Style>[0];

const marks: Record<ViewAction, { readonly sign: string; readonly format: Format }> = {
  blocked: { sign: '!', format: 'red' },
  unknown: { sign: '?', format: 'magenta' },
  waiting: { sign: ':', format: 'magenta' },
  diverged: { sign: '=', format: 'yellow' },
  replace: { sign: '%', format: 'yellow' },
  adopt: { sign: '&', format: 'cyan' },
  revive: { sign: '^', format: 'cyan' },
  reassert: { sign: '*', format: 'cyan' },
  update: { sign: '~', format: 'yellow' },
  retire: { sign: '-', format: 'gray' },
  create: { sign: '+', format: 'green' },
};

/** A plan for a terminal: 80 columns, readable without colour, every value escaped. */
export function renderPlanText(plan: Plan, color: boolean): string {
  const style = styleFor(color);
  const view = planView(plan);
  return [
    ...wrapped(view.title, (line) => style('bold', line)),
    ...view.notes.flatMap((note) => wrapped(note, (line) => style('dim', line))),
    ...plan.guards.flatMap((guard) => ['', ...guardLines('this plan', guard, style)]),
    ...view.sections.flatMap((section) => ['', ...sectionLines(section, style)]),
    ...createdLines(view, style),
    '',
    ...wrapped(view.summary, (line) => style('bold', line)),
    '',
  ].join('\n');
}

function wrapped(text: string, paint: (line: string) => string): readonly string[] {
  return wrapWords(escapeTerminal(text), '', '  ').map(paint);
}

/** What apply refuses and why, with every way out of it. */
export function guardLines(
  what: string,
  { reason, remedies }: Pick<Guard, 'reason' | 'remedies'>,
  style: Style,
): readonly string[] {
  return [
    ...wrapWords(escapeTerminal(`Apply refuses ${what}: ${reason}`), '', '  ').map((line) =>
      style('red', line),
    ),
    ...remedies.flatMap((remedy) => wrap(escapeTerminal(remedy), '  - ', '    ')),
  ];
}

function createdLines({ created, createdFolded }: PlanView, style: Style): readonly string[] {
  const label = style('green', '+ create   ');
  const widest = Math.min(
    36,
    Math.max(0, ...created.flatMap(({ entries }) => entries.map(({ address }) => address.length))),
  );
  const lines = created.flatMap(({ file, entries }) => [
    '',
    `${label} ${style('dim', escapeTerminal(file))}`,
    ...entries.flatMap(({ line, address, name }) => {
      const place = style('dim', String(line).padStart(11));
      const column = ' '.repeat(INDENT.length + widest + 2);
      const shown = `${escapeTerminal(address).padEnd(widest)}  `;
      const [first = '', ...rest] = wrapWords(escapeTerminal(name), INDENT + shown, column);
      return [`${place}${first.slice(INDENT.length - 2)}`, ...rest];
    }),
  ]);
  return createdFolded > 0
    ? [...lines, `${INDENT}... and ${createdFolded} more; --format json lists them all`]
    : lines;
}

/** What a group has in common is told below the last of it, where a reader of a terminal begins. */
function sectionLines({ action, groups }: Section, style: Style): readonly string[] {
  const { sign, format } = marks[action];
  const label = style(format, `${sign} ${action.padEnd(9)}`);
  const lengths = groups.flatMap(({ entries }) => entries.map(({ address }) => address.length));
  const widest = Math.min(30, Math.max(...lengths));
  return groups.flatMap((group) => [
    ...group.entries.flatMap((entry) => entryLines(entry, label, widest, style)),
    ...reasonLines(group, style),
  ]);
}

function entryLines(entry: Entry, label: string, widest: number, style: Style): readonly string[] {
  const address = escapeTerminal(entry.address);
  const title = escapeTerminal(entry.title);
  const source = escapeTerminal(entry.source);
  const head = `${address.padEnd(widest)}  ${title}`.trimEnd();
  const gap = WIDTH - 12 - head.length - source.length;
  const rest = fieldLines(entry);
  if (source && gap >= 2) return [`${label} ${head}${' '.repeat(gap)}${style('dim', source)}`, ...rest];
  const fits = head.length + 12 <= WIDTH;
  const titleBelow = fits || title === '' ? [] : wrapWords(title, INDENT, INDENT);
  const sourceBelow = source ? [`${INDENT}${style('dim', harmless(source))}`] : [];
  return [`${label} ${fits ? head : address}`, ...titleBelow, ...sourceBelow, ...rest];
}

function fieldLines({ fields }: Entry): readonly string[] {
  const widest = Math.min(28, Math.max(0, ...fields.map(({ path }) => path.length)));
  return fields.flatMap((field) => {
    const path = harmless(escapeTerminal(field.path)).padEnd(widest);
    const before = escapeTerminal(field.before);
    const after = escapeTerminal(field.after);
    const line = `${INDENT}${path}  ${before} -> ${after}`;
    if (line.length <= WIDTH) return [line];
    const column = ' '.repeat(INDENT.length + widest + 2);
    const isLong = path.length > widest;
    return [
      ...(isLong ? [`${INDENT}${path}`] : []),
      ...wrapWords(before, isLong ? column : `${INDENT}${path}  `, column),
      ...wrapWords(after, `${column.slice(3)}-> `, column),
    ];
  });
}

function reasonLines({ reason, remedies }: Group<Entry>, style: Style): readonly string[] {
  return [
    ...(reason ? wrap(escapeTerminal(reason), INDENT, INDENT) : []),
    ...remedies
      .flatMap((remedy) => wrap(escapeTerminal(remedy), `${INDENT}- `, `${INDENT}  `))
      .map((line) => style('dim', line)),
  ];
}
