import { bytes, codeCell, codeSpan, fit, type Part, prose, renderProblemsMarkdown } from './markdown.ts';
import type { ExplainedChange, ExplainedPlan } from './messages/explain-plan.ts';
import type { FailedEnvironment } from './model.ts';
import { overviewRows } from './plan-summary.ts';
import { fieldTexts, type Group, idOf, planView, type Section, sourceText } from './plan-view.ts';
import { textOf } from './terminal.ts';
import { pluralize } from './words.ts';

/** Bytes of UTF-8 that a document takes at most: a comment on GitHub has 65 536 characters, and its author wants some. */
export const MARKDOWN_LIMIT = 60_000;

/** Sections of more entries are folded, but for what needs a person. */
const OPEN = 5;

/** Fields of one change; a note of the plan gets so many characters. */
const ROWS = 20;
const NOTES = 20;
const LONGEST_NOTE = 400;

const THERE_IS_MORE = '; the plan file has them all\n';

/** A plan for a comment on a pull request: never over `limit` bytes, and no value of it is read as Markdown or HTML. */
export function renderPlanMarkdown(plan: ExplainedPlan, limit = MARKDOWN_LIMIT): string {
  const view = planView(plan);
  const notes = [...view.notes, ...view.recordings];
  const left = notes.length - NOTES;
  const top = textOf(
    `### ${prose(view.title, LONGEST_NOTE)}\n`,
    `**${prose(view.summary)}**\n`,
    notes.slice(0, NOTES).map((note) => `${prose(note, LONGEST_NOTE)}\n`),
    left > 0 && `… and ${pluralize(left, 'more note')}${THERE_IS_MORE}`,
    view.guards.map(
      ({ reason, remedies }) => `**Apply refuses this plan:** ${prose(reason)}\n\n${listOf(remedies)}`,
    ),
  );
  return top + fit(view.sections.map(sectionPart), limit - bytes(top));
}

function listOf(remedies: readonly string[]): string {
  return textOf(remedies.map((remedy) => `- ${prose(remedy)}`));
}

function sectionPart({ title, part, groups, count }: Section): Part {
  const needsDecision = part === 'decision';
  const isOpen = needsDecision || count <= OPEN;
  return {
    head: isOpen ? `#### ${title} (${count})\n\n` : `<details><summary>${title} (${count})</summary>\n\n`,
    units: groups.flatMap((group) =>
      group.file === undefined ? groupUnits(group, needsDecision) : fileUnits(group.file, group.changes),
    ),
    tail: isOpen ? '' : '</details>\n\n',
    more: (left) => `\n… and ${left} more${THERE_IS_MORE}\n`,
  };
}

/**
 * What several have in common stands on top of them, with the first: it must not be lost with the others. What needs
 * a decision rather loses its table than its ways out.
 */
function groupUnits({ reason, remedies, changes }: Group, needsDecision: boolean): Part['units'] {
  const why = reason === undefined ? '' : `${prose(reason)}\n\n`;
  const out = remedies.length === 0 ? '' : `${listOf(remedies)}\n`;
  const isOne = changes.length === 1 || why + out === '';
  const common = why === '' ? 'with the same next steps:**\n\n' : `for the same reason:** ${why}`;
  return changes.map((change, at) => {
    const top = isOne || at > 0 ? '' : `**${changes.length} ${common}${out}`;
    const end = isOne ? why + out : '';
    const fields = fieldTexts(change);
    const head = `${top}${headText(change, fields)}\n`;
    const left = `… and ${pluralize(fields.length, 'field')}${THERE_IS_MORE}\n`;
    const short = `${head}\n${fields.length === 0 ? '' : left}${end}`;
    return [`${head}${tableText(fields)}\n${end}`, ...(needsDecision ? [short] : [])];
  });
}

type FieldTexts = ReturnType<typeof fieldTexts>;

function headText(change: ExplainedChange, fields: FieldTexts): string {
  const { address, name = '' } = change;
  // If it changes, the table has it.
  const shown = fields.some(({ path }) => path === 'name') ? '' : codeSpan(name);
  const id = codeSpan(idOf(change));
  const parts = [`**${codeSpan(address)}**`, shown, id && `id ${id}`, codeSpan(sourceText(change))];
  return parts.filter((part) => part !== '').join(' ');
}

function tableText(fields: FieldTexts): string {
  if (fields.length === 0) return '';
  const left = fields.length - ROWS;
  const rows = fields.map(({ path, before, after }) => [path, before, after].map(codeCell).join(' | '));
  return textOf(
    '\n| Field | Before | After |',
    '| --- | --- | --- |',
    rows.slice(0, ROWS).map((row) => `| ${row} |`),
    left > 0 && `\n… and ${pluralize(left, 'more field')}; the plan file has them all`,
  );
}

/** Plain creates: a table for each file. */
function fileUnits(file: string, changes: readonly ExplainedChange[]): Part['units'] {
  return changes.map(({ address, name = '', source }, at) => {
    const head = at === 0 ? `${codeSpan(file)}\n\n| Line | Address | Name |\n| ---: | --- | --- |\n` : '';
    const end = at === changes.length - 1 ? '\n' : '';
    return [`${head}| ${source?.line ?? 0} | ${codeCell(address)} | ${codeCell(name)} |\n${end}`];
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
    head: top,
    units: [...problems, ...plans.map((each) => renderPlanMarkdown(each, share))].map((text) => [text]),
    tail: '',
    more: (left) => `… and ${pluralize(left, 'more environment')}${THERE_IS_MORE}`,
  };
  return fit([part], MARKDOWN_LIMIT);
}

function overview(plans: readonly ExplainedPlan[], failed: readonly FailedEnvironment[]): string {
  const rows = overviewRows(plans, failed);
  const part: Part = {
    head: `### Plans for ${pluralize(rows.length, 'environment')}\n\n| Environment | Plan |\n| --- | --- |\n`,
    units: rows.map(([name, words]) => [`| ${codeCell(name)} | ${prose(words)} |\n`]),
    tail: '\n',
    more: (left) => `\n… and ${pluralize(left, 'more environment')}${THERE_IS_MORE}`,
  };
  return fit([part], OVERVIEW);
}
