import { type ApplyReport, type ChangeResult, type ResultKind, resultKinds } from '../apply/model.ts';
import type { FieldChange } from '../plan/model.ts';
import type { State } from '../state/model.ts';
import { pluralize } from '../text/pluralize.ts';
import { countOf } from '../text/problem-list.ts';
import { applySummary, haltText, nextSteps, outcomeOf, remainingOptions } from './apply-outcome.ts';
import { problemJson } from './diagnostic-reports.ts';
import { explainReason } from './messages/plan-reasons.ts';
import type { AppliedEnvironment, HintContext } from './model.ts';
import { sortRows } from './plan-summary.ts';
import { renderServiceError } from './service-error.ts';
import {
  alignColumns,
  escapeTerminal,
  harmless,
  renderJson,
  type Style,
  styleFor,
  WIDTH,
  wrap,
  wrapWords,
} from './terminal.ts';
import { valueText } from './value-text.ts';

const shown: readonly { readonly kind: ResultKind; readonly format: 'red' | 'yellow' | 'magenta' }[] = [
  { kind: 'failed', format: 'red' },
  { kind: 'unrecorded', format: 'red' },
  { kind: 'unknown', format: 'magenta' },
  { kind: 'waiting', format: 'magenta' },
  { kind: 'diverged', format: 'yellow' },
  { kind: 'not-started', format: 'yellow' },
];

const LISTED = 20;
/** Lines and characters of the differences of one result: an answer may have thousands of options. */
const MOST_LINES = 100;
const MOST_CHARACTERS = 8000;

/** What did not go as planned, as lines; none where all did. */
function renderApplyDetails(report: ApplyReport, color: boolean, reader: HintContext): readonly string[] {
  const style = styleFor(color);
  const { flags, askedFor = {} } = reader;
  const parts = shown.flatMap(({ kind, format }) => {
    // What the plan above says already, and what was not started for the reason of the whole run, is only counted.
    const found = report.results.filter(
      ({ result, action, reason }) =>
        result === kind &&
        action !== 'unknown' &&
        (!['waiting', 'not-started'].includes(kind) || reason !== undefined),
    );
    const listed = found.filter((result, at) => at < LISTED || hasOnlyPlace(result));
    const lines = listed.flatMap((result) =>
      resultLines(result, style(format, kind.padEnd(10)), style, reader),
    );
    const rest = found.length - listed.length;
    return [...lines, ...(rest > 0 ? [`  ... and ${rest} more; --format json lists them all`] : [])];
  });
  const halt = report.halt ? wrap(`Stopped: ${haltText(report.halt)}`) : [];
  const command = remainingOptions(report, askedFor, flags);
  const rest = command === undefined ? [] : [`To go on with what was asked for: ${command}`];
  return [...parts, ...halt, ...rest.flatMap((text) => wrap(text))];
}

/** An ID that was answered and may be recorded nowhere: whoever reads this has to keep it. */
function hasOnlyPlace({ result, action, remoteId, error }: ChangeResult): boolean {
  if (result === 'unrecorded') return true;
  return result === 'unknown' && remoteId !== null && (action === 'create' || error === undefined);
}

function resultLines(
  result: ChangeResult,
  label: string,
  style: Style,
  { credentials, flags }: HintContext,
): readonly string[] {
  const address = escapeTerminal(result.address);
  const id = result.remoteId === null ? '' : `  id ${escapeTerminal(result.remoteId)}`;
  const said = result.error && renderServiceError(result.error, credentials);
  const fits = 11 + address.length + id.length <= WIDTH;
  return [
    `${label} ${address}${fits ? style('dim', id) : ''}`,
    ...(fits ? [] : [style('dim', id)]),
    ...linesOf([
      ...(said ? [said.message] : []),
      ...(result.reason ? [result.reason] : []),
      ...(result.reasons ?? []).flatMap(
        (reason) => explainReason(reason, { address: result.address, flags })[0] ?? [],
      ),
    ]),
    ...differenceLines(result.fields ?? []),
    // What to do about an unknown outcome is said below, and better.
    ...linesOf([...(said && result.result !== 'unknown' ? [said.hint] : []), ...nextSteps(result, flags)]),
  ];
}

function differenceLines(fields: readonly FieldChange[]): readonly string[] {
  const sentences = fields
    .slice(0, MOST_LINES)
    .map(({ path, before, after }) => `${path}: sent ${valueText(after)}, answered ${valueText(before)}`);
  const lines = linesOf(sentences.map((text) => text.slice(0, MOST_CHARACTERS)));
  if (fields.length <= MOST_LINES && lines.length <= MOST_LINES) return lines;
  return [
    ...lines.slice(0, MOST_LINES),
    `  ... of ${pluralize(fields.length, 'difference')}; --format json lists all`,
  ];
}

function linesOf(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => wrap(text, '  ', '  '));
}

/**
 * The end of an apply: what did not go as planned with its place and next step, then one sentence. Of an unfinished
 * one it is no more than what is known so far.
 */
export function renderApplyText(
  report: ApplyReport,
  color: boolean,
  reader: HintContext,
  isUnfinished = false,
): string {
  const style = styleFor(color);
  const summary = wrapWords(applySummary(report, isUnfinished)).map((line) => style('bold', line));
  const details = renderApplyDetails(report, color, reader);
  return [...details, ...(details.length > 0 ? [''] : []), ...summary, ''].join('\n');
}

/** The report for programs, in the words of `ApplyReport`; `state` is null where it could not be saved. */
export function renderApplyJson(report: ApplyReport, saved: State | undefined): string {
  const count = (kind: ResultKind) => report.results.filter(({ result }) => result === kind).length;
  const summary = Object.fromEntries(resultKinds.map((kind) => [kind, count(kind)]));
  const state = saved ? { lineage: saved.lineage, serial: saved.serial } : null;
  return renderJson({ formatVersion: 1, ...report, summary, state });
}

/** What became of each, and below it what did not go as planned. */
export function renderAppliedText(all: readonly AppliedEnvironment[], color: boolean): string {
  const style = styleFor(color);
  const results = sortRows(all.map((each) => [each.environment, wordsFor(each)] as const));
  const details = all.flatMap(({ environment, report, reader }) => {
    const lines = report && reader ? renderApplyDetails(report, color, reader) : [];
    return lines.length > 0 ? ['', style('bold', `${harmless(escapeTerminal(environment))}:`), ...lines] : [];
  });
  const table = alignColumns([['ENVIRONMENT', 'RESULT'], ...results]);
  return `${table}${details.map((line) => `${line}\n`).join('')}\n${style('bold', conclusion(all))}\n`;
}

export function renderAppliedJson(all: readonly AppliedEnvironment[]): string {
  const environments = all.map(({ environment, exitCode, report, problems }) => ({
    environment,
    exitCode,
    report: report ?? null,
    problems: problems.map(problemJson),
  }));
  return renderJson({ formatVersion: 1, environments });
}

function wordsFor({ report, problems, exitCode, isUnfinished }: AppliedEnvironment): string {
  const { done = [], open = [] } = report ? outcomeOf(report) : {};
  const words = [...done, ...open].join(', ');
  if (isUnfinished) return `${words || 'no outcome'} so far, not finished`;
  if (report === undefined && problems.length > 0)
    return `nothing was sent: ${pluralize(countOf(problems), 'problem')}, see below`;
  if (report === undefined && exitCode !== 0) return 'not started';
  return words || 'nothing to change';
}

function conclusion(all: readonly AppliedEnvironment[]): string {
  const left = all.filter(({ exitCode }) => exitCode !== 0).map(({ environment }) => environment);
  const total = pluralize(all.length, 'environment');
  if (left.length === 0) return `${total} applied.`;
  const inPart = all.filter(
    ({ exitCode, report }) => exitCode !== 0 && report && outcomeOf(report).done.length > 0,
  ).length;
  const partly = inPart > 0 ? `, ${inPart} in part` : '';
  return `${all.length - left.length} of ${total} applied${partly}; look at ${left.map(escapeTerminal).join(', ')}.`;
}
