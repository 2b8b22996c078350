import { pluralize } from '../text/pluralize.ts';
import {
  bytes,
  codeCell,
  codeSpan,
  fit,
  type Part,
  prose,
  renderProblemsMarkdown,
  type Unit,
} from './markdown.ts';
import type { ExplainedGuard, ExplainedPlan } from './messages/explain-plan.ts';
import type { FailedEnvironment } from './model.ts';
import { overviewRows } from './plan-summary.ts';
import { type Entry, fieldTexts, type Group, planView, type Section, sourceText } from './plan-view.ts';

/** Bytes of UTF-8 that a document takes at most: a comment on GitHub has 65 536 characters, and its author wants some. */
export const MARKDOWN_LIMIT = 60_000;

/** Sections of more entries are folded, but for what needs a person. */
const OPEN = 5;

/** Fields of one change; a note of the plan gets so many characters. */
const ROWS = 20;
const NOTES = 20;
const LONGEST_NOTE = 400;

/** A plan for a comment on a pull request: never over `limit` bytes, and no value of it is read as Markdown or HTML. */
export function renderPlanMarkdown(plan: ExplainedPlan, limit = MARKDOWN_LIMIT): string {
  const view = planView(plan);
  const left = view.notes.length - NOTES;
  const top = [
    `### ${prose(view.title, LONGEST_NOTE)}\n`,
    `**${prose(view.summary)}**\n`,
    ...view.notes.slice(0, NOTES).map((note) => `${prose(note, LONGEST_NOTE)}\n`),
    ...(left > 0 ? [`… and ${pluralize(left, 'more note')}; the plan file has them all\n`] : []),
    ...view.guards.map(guardText),
    '',
  ].join('\n');
  return top + fit(view.sections.map(sectionPart), limit - bytes(top));
}

function guardText({ reason, remedies }: ExplainedGuard): string {
  return `**Apply refuses this plan:** ${prose(reason)}\n${remedies.map((remedy) => `\n- ${prose(remedy)}`).join('')}\n`;
}

function sectionPart({ title, part, groups, count }: Section): Part {
  const needsDecision = part === 'decision';
  const isOpen = needsDecision || count <= OPEN;
  return {
    head: isOpen ? `#### ${title} (${count})\n\n` : `<details><summary>${title} (${count})</summary>\n\n`,
    units: groups.flatMap((group) =>
      group.file === undefined ? groupUnits(group, needsDecision) : fileUnits(group.file, group.entries),
    ),
    tail: isOpen ? '' : '</details>\n\n',
    more: (left) => `\n… and ${left} more; the plan file has them all\n\n`,
  };
}

/**
 * What several have in common stands on top of them, with the first: it must not be lost with the others. What needs
 * a decision rather loses its table than its ways out.
 */
function groupUnits({ reason, remedies, entries }: Group, needsDecision: boolean): readonly Unit[] {
  const [first, ...others] = entries;
  if (first === undefined) return [];
  const ways = remedies.map((remedy) => `- ${prose(remedy)}\n`).join('');
  const out = ways === '' ? '' : `${ways}\n`;
  const why = reason === undefined ? '' : `${prose(reason)}\n\n`;
  const unit = (entry: Entry, before: string, behind = ''): Unit => ({
    text: before + entryText(entry) + behind,
    ...(needsDecision && {
      short: before + entryText({ ...entry, fields: [] }) + fieldsLeft(entry) + behind,
    }),
  });
  if (others.length === 0) return [unit(first, '', why + out)];
  const common = why === '' ? 'with the same ways out:**\n\n' : `for the same reason:** ${why}`;
  const head = why + out === '' ? '' : `**${entries.length} ${common}${out}`;
  return [unit(first, head), ...others.map((entry) => unit(entry, ''))];
}

function fieldsLeft(entry: Entry): string {
  const { length } = fieldTexts(entry);
  return length === 0 ? '' : `… and ${pluralize(length, 'field')}; the plan file has them all\n\n`;
}

function entryText(entry: Entry): string {
  const { address, name, id } = entry;
  const fields = fieldTexts(entry);
  // If it changes, the table has it.
  const shown = fields.some(({ path }) => path === 'name') ? '' : codeSpan(name);
  const title = id === undefined ? '' : `id ${codeSpan(id)}`;
  const head = [`**${codeSpan(address)}**`, shown, title, codeSpan(sourceText(entry))];
  const rows = fields
    .slice(0, ROWS)
    .map(({ path, before, after }) => `| ${[path, before, after].map(codeCell).join(' | ')} |`);
  const table = rows.length > 0 ? ['', '| Field | Before | After |', '| --- | --- | --- |', ...rows] : [];
  if (fields.length > ROWS)
    table.push('', `… and ${pluralize(fields.length - ROWS, 'more field')}; the plan file has them all`);
  return `${[head.filter((part) => part !== '').join(' '), ...table].join('\n')}\n\n`;
}

/** Plain creates: a table for each file. */
function fileUnits(file: string, entries: readonly Entry[]): readonly Unit[] {
  return entries.map(({ address, name, source }, at) => {
    const head = at === 0 ? `${codeSpan(file)}\n\n| Line | Address | Name |\n| ---: | --- | --- |\n` : '';
    const end = at === entries.length - 1 ? '\n' : '';
    return { text: `${head}| ${source?.line ?? 0} | ${codeCell(address)} | ${codeCell(name)} |\n${end}` };
  });
}

/** The least room that a plan among several is worth. */
const LEAST = 3000;
/** Bytes that the table of all of them takes at most. */
const OVERVIEW = MARKDOWN_LIMIT / 4;

/** One plan, or several in one document: a table of all, then what could not be planned, then a section each. */
export function renderPlansMarkdown(
  plans: readonly ExplainedPlan[],
  failed: readonly FailedEnvironment[],
): string {
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
    more: (left) => `… and ${pluralize(left, 'more environment')}; the plan file has them all\n`,
  };
  return top + fit([part], MARKDOWN_LIMIT - bytes(top));
}

function overview(plans: readonly ExplainedPlan[], failed: readonly FailedEnvironment[]): string {
  const rows = overviewRows(plans, failed);
  const part: Part = {
    head: `### Plans for ${pluralize(rows.length, 'environment')}\n\n| Environment | Plan |\n| --- | --- |\n`,
    units: rows.map(([name, words]) => ({ text: `| ${codeCell(name)} | ${prose(words)} |\n` })),
    tail: '\n',
    more: (left) => `\n… and ${pluralize(left, 'more environment')}; the plan file has them all\n`,
  };
  return fit([part], OVERVIEW);
}
