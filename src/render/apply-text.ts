import { type ApplyReport, type ChangeResult, type ResultKind, resultKinds } from '../apply/model.ts';
import type { FieldChange } from '../plan/model.ts';
import type { State } from '../state/model.ts';
import { counted } from '../text/counted.ts';
import { applySummary, haltText, nextSteps, remainingWishes, summarySoFar } from './apply-outcome.ts';
import type { Reader } from './reader.ts';
import { renderServiceError } from './service-error.ts';
import { escapeTerminal, renderJson, type Style, styleFor, WIDTH, wrap, wrapWords } from './terminal.ts';
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
export function renderApplyDetails(report: ApplyReport, color: boolean, reader: Reader): readonly string[] {
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
    const lines = found
      .slice(0, LISTED)
      .flatMap((result) => resultLines(result, style(format, kind.padEnd(10)), style, report, reader));
    const more =
      found.length > LISTED ? [`  ... and ${found.length - LISTED} more; --format json lists them all`] : [];
    return [...lines, ...more];
  });
  const halt = report.halt ? wrap(`Stopped: ${escapeTerminal(haltText(report.halt))}`, '', '  ') : [];
  const command = remainingWishes(report, askedFor, flags);
  const rest = command === undefined ? [] : [`To go on with what was asked for: ${escapeTerminal(command)}`];
  return [...parts, ...halt, ...rest.flatMap((text) => wrap(text, '', '  '))];
}

function resultLines(
  result: ChangeResult,
  label: string,
  style: Style,
  { halt }: ApplyReport,
  { credentials, flags }: Reader,
): readonly string[] {
  const address = escapeTerminal(result.address);
  const id = result.remoteId === null ? '' : `  id ${escapeTerminal(result.remoteId)}`;
  const said = result.error && renderServiceError(result.error, credentials);
  const fits = 11 + address.length + id.length <= WIDTH;
  return [
    `${label} ${address}${fits ? style('dim', id) : ''}`,
    ...(fits ? [] : [style('dim', id)]),
    ...linesOf([...(said ? [said.message] : []), ...(result.reason ? [result.reason] : [])]),
    ...differenceLines(result.fields ?? []),
    // What to do about an unknown outcome is said below, and better.
    ...linesOf([
      ...(said && result.result !== 'unknown' ? [said.hint] : []),
      ...nextSteps(result, flags, halt),
    ]),
  ];
}

function differenceLines(fields: readonly FieldChange[]): readonly string[] {
  const told = fields
    .slice(0, MOST_LINES)
    .map(({ path, before, after }) => `${path}: sent ${valueText(after)}, answered ${valueText(before)}`);
  const lines = linesOf(told.map((text) => text.slice(0, MOST_CHARACTERS)));
  if (fields.length <= MOST_LINES && lines.length <= MOST_LINES) return lines;
  return [
    ...lines.slice(0, MOST_LINES),
    `  ... of ${counted(fields.length, 'difference')}; --format json lists all`,
  ];
}

function linesOf(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => wrap(escapeTerminal(text), '  ', '  '));
}

/**
 * The end of an apply: what did not go as planned with its place and next step, then one sentence. Of an unfinished
 * one it is no more than what was told so far.
 */
export function renderApplyText(
  report: ApplyReport,
  color: boolean,
  reader: Reader,
  isUnfinished = false,
): string {
  const style = styleFor(color);
  const sentence = isUnfinished ? summarySoFar(report) : applySummary(report);
  const summary = wrapWords(escapeTerminal(sentence), '', '  ').map((line) => style('bold', line));
  const told = renderApplyDetails(report, color, reader);
  return [...told, ...(told.length > 0 ? [''] : []), ...summary, ''].join('\n');
}

/** The report for programs, in the words of `ApplyReport`; `state` is null where it could not be saved. */
export function renderApplyJson(report: ApplyReport, saved: State | undefined): string {
  const count = (kind: ResultKind) => report.results.filter(({ result }) => result === kind).length;
  const summary = Object.fromEntries(resultKinds.map((kind) => [kind, count(kind)]));
  const state = saved ? { lineage: saved.lineage, serial: saved.serial } : null;
  return renderJson({ formatVersion: 1, ...report, summary, state });
}
