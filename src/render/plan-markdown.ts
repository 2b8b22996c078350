import type { Guard, Plan } from '../plan/model.ts';
import { counted } from '../text/counted.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import { countOf } from '../text/problem-list.ts';
import {
  bytes,
  codeCell,
  codeSpan,
  fitParts,
  type Part,
  prose,
  renderProblemsMarkdown,
  type Unit,
} from './markdown.ts';
import {
  type Entry,
  type Group,
  interfaceNote,
  type PlanView,
  planView,
  type Section,
  summaryOf,
  type ViewAction,
} from './plan-view.ts';

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

export interface FailedEnvironment {
  readonly environment: string;
  readonly problems: readonly Diagnostic[];
}

/** The least room that a plan among several is worth. */
const LEAST = 3000;
/** Bytes that the table of all of them takes at most. */
const OVERVIEW = MARKDOWN_LIMIT / 4;

/** One plan, or several in one document: a table of all, then what could not be planned, then a section each. */
export function renderPlansMarkdown(plans: readonly Plan[], failed: readonly FailedEnvironment[]): string {
  const [plan] = plans;
  if (plan && plans.length + failed.length === 1) return renderPlanMarkdown(plan);
  const count = plans.length + failed.length;
  const top = count === 1 ? '' : overview(plans, failed);
  const share = Math.max(LEAST, Math.floor((MARKDOWN_LIMIT - bytes(top)) / count) - 10);
  const problems = failed.map(({ environment, problems }) =>
    renderProblemsMarkdown(`${prose(environment)} could not be planned`, problems, share),
  );
  const part: Part = {
    head: '',
    units: [...problems, ...plans.map((each) => renderPlanMarkdown(each, share))].map((text) => ({ text })),
    tail: '',
    more: (left) => `… and ${counted(left, 'more environment')}; the plan file has them all\n`,
  };
  return top + fitParts([part], MARKDOWN_LIMIT - bytes(top));
}

function overview(plans: readonly Plan[], failed: readonly FailedEnvironment[]): string {
  const rows = [
    ...failed.map(
      ({ environment, problems }) =>
        [environment, `can't be planned: ${counted(countOf(problems), 'problem')}`] as const,
    ),
    ...plans.map((plan) => [plan.environment, summaryOf(plan).replace(/^Plan: /, '')] as const),
  ];
  const part: Part = {
    head: `### Plans for ${counted(rows.length, 'environment')}\n\n| Environment | Plan |\n| --- | --- |\n`,
    units: rows.map(([name, words]) => ({ text: `| ${codeCell(name)} | ${prose(words)} |\n` })),
    tail: '\n',
    more: (left) => `\n… and ${counted(left, 'more environment')}; the plan file has them all\n`,
  };
  return fitParts([part], OVERVIEW);
}
