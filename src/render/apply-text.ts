import { type ApplyReport, type ResultKind, resultKinds } from '../apply/model.ts';
import type { State } from '../state/model.ts';
import { renderApplyDetails } from './apply-details.ts';
import { applySummary, summarySoFar } from './apply-summary.ts';
import { escapeTerminal } from './escape.ts';
import { renderJson } from './json.ts';
import type { Reader } from './reader.ts';
import { styleFor } from './style.ts';
import { wrapWords } from './wrap.ts';

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
