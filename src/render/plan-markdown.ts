import type { Guard, Plan } from '../plan/model.ts';
import { counted } from '../text/counted.ts';
import { bytes, fitParts, type Part, type Unit } from './fitted.ts';
import { interfaceNote } from './interface-note.ts';
import { codeCell, codeSpan, prose } from './markdown.ts';
import { type Entry, type PlanView, planView, type Section } from './plan-view.ts';
import type { ViewAction } from './view-action.ts';
import type { Group } from './without-repetition.ts';

/** Bytes of UTF-8 that a document takes at most: a comment on GitHub has 65 536 characters, and its author wants some. */
export const MARKDOWN_LIMIT = 60_000;

/** Sections of more entries are folded, but for what needs a person. */
const OPEN = 5;

/** Fields of one change; a note of the plan gets so many characters. */
const ROWS = 20;
const NOTES = 20;
const LONGEST_NOTE = 400;

const headings: Record<ViewAction, string> = {
  blocked: 'Blocked',
  unknown: 'Unknown',
  waiting: 'Waiting',
  diverged: 'Diverged',
  replace: 'To replace',
  adopt: 'To adopt',
  revive: 'To revive',
  reassert: 'To write again',
  update: 'To update',
  retire: 'To retire',
  create: 'To create, sent before',
};

/** A plan for a comment on a pull request: never over `limit` bytes, and no value of it is read as Markdown or HTML. */
export function renderPlanMarkdown(plan: Plan, limit = MARKDOWN_LIMIT): string {
  const view = planView(plan, Number.POSITIVE_INFINITY);
  const { text: notes, left } = shownNotes([...view.notes, ...interfaceNote(plan)]);
  const top = [
    `### ${prose(view.title, LONGEST_NOTE)}\n`,
    `**${prose(view.summary)}**\n`,
    ...plan.guards.map(guardText),
    ...notes,
    ...(left > 0 ? [`… and ${counted(left, 'more note')}; the plan file has them all\n`] : []),
    '',
  ].join('\n');
  const parts = [...view.sections.map(sectionPart), ...createdParts(view)];
  return top + fitParts(parts, limit - bytes(top));
}

function guardText({ reason, remedies }: Guard): string {
  const ways = remedies.map((remedy) => `\n- ${prose(remedy)}`).join('');
  return `**Apply refuses this plan:** ${prose(reason)}\n${ways}\n`;
}

function shownNotes(notes: readonly string[]) {
  const text = notes.slice(0, NOTES).map((note) => `${prose(note, LONGEST_NOTE)}\n`);
  return { text, left: Math.max(0, notes.length - NOTES) };
}

function sectionPart({ action, groups, count }: Section): Part {
  const needsPerson = action === 'blocked' || action === 'unknown';
  return {
    ...framed(headings[action], count, needsPerson || count <= OPEN),
    units: groups.flatMap((group) => groupUnits(group, needsPerson)),
    more,
  };
}

/**
 * What several have in common is told on top of them, with the first: it must not be lost with the others. What needs
 * a person rather loses its table than its ways out.
 */
function groupUnits({ reason, remedies, entries }: Group<Entry>, needsPerson: boolean): readonly Unit[] {
  const [first, ...others] = entries;
  if (first === undefined) return [];
  const ways = remedies.map((remedy) => `- ${prose(remedy)}\n`).join('');
  const out = ways === '' ? '' : `${ways}\n`;
  const why = reason === undefined ? '' : `${prose(reason)}\n\n`;
  const unit = (entry: Entry, before: string, behind = ''): Unit => ({
    text: before + entryText(entry) + behind,
    ...(needsPerson && { short: before + entryText({ ...entry, fields: [] }) + fieldsLeft(entry) + behind }),
  });
  if (others.length === 0) return [unit(first, '', why + out)];
  const common = why === '' ? 'with the same ways out:**\n\n' : `for the same reason:** ${why}`;
  const head = why + out === '' ? '' : `**${entries.length} ${common}${out}`;
  return [unit(first, head), ...others.map((entry) => unit(entry, ''))];
}

function fieldsLeft({ fields }: Entry): string {
  return fields.length === 0
    ? ''
    : `… and ${counted(fields.length, 'field')}; the plan file has them all\n\n`;
}

function framed(heading: string, count: number, isOpen: boolean): Pick<Part, 'head' | 'tail'> {
  if (isOpen) return { head: `#### ${heading} (${count})\n\n`, tail: '' };
  return { head: `<details><summary>${heading} (${count})</summary>\n\n`, tail: '</details>\n\n' };
}

function more(count: number): string {
  return `\n… and ${count} more; the plan file has them all\n\n`;
}

function entryText(entry: Entry): string {
  const { address, name, title, source, fields } = entry;
  // Where it changes, the table has it.
  const shown = fields.some(({ path }) => path === 'name') ? '' : codeSpan(name);
  const head = [`**${codeSpan(address)}**`, shown, prose(title), codeSpan(source)].filter(
    (part) => part !== '',
  );
  const rows = fields
    .slice(0, ROWS)
    .map(({ path, before, after }) => `| ${[path, before, after].map(codeCell).join(' | ')} |`);
  const table = rows.length > 0 ? ['', '| Field | Before | After |', '| --- | --- | --- |', ...rows] : [];
  if (fields.length > ROWS)
    table.push('', `… and ${counted(fields.length - ROWS, 'more field')}; the plan file has them all`);
  return `${[head.join(' '), ...table].join('\n')}\n\n`;
}

/** Creates: a table a file, and one heading above them all. */
function createdParts({ created }: PlanView): readonly Part[] {
  const count = created.reduce((sum, { entries }) => sum + entries.length, 0);
  if (count === 0) return [];
  const units = created.flatMap(({ file, entries }): Unit[] =>
    entries.map(({ line, address, name }, at) => {
      const head = at === 0 ? `\n${codeSpan(file)}\n\n| Line | Address | Name |\n| ---: | --- | --- |\n` : '';
      return { text: `${head}| ${line} | ${codeCell(address)} | ${codeCell(name)} |\n` };
    }),
  );
  const { head, tail } = framed('To create', count, count <= OPEN);
  return [{ head, units, tail: `\n${tail}`, more }];
}
