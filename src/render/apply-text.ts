import {
  type ApplyReport,
  type ChangeResult,
  type Halt,
  type ResultKind,
  resultKinds,
} from '../apply/model.ts';
import type { CredentialNames } from '../environment/model.ts';
import type { Action } from '../plan/model.ts';
import type { State } from '../state/model.ts';
import { escapeTerminal } from './escape.ts';
import { renderJson } from './json.ts';
import { valueText } from './plan-view.ts';
import type { Reader } from './reader.ts';
import { remainingWishes } from './remaining-wishes.ts';
import { renderServiceError } from './service-error.ts';
import { type Style, styleFor } from './style.ts';
import { WIDTH, wrap, wrapWords } from './wrap.ts';

const past: Partial<Record<Action, string>> = {
  create: 'created',
  update: 'updated',
  revive: 'revived',
  retire: 'retired',
  replace: 'replaced',
  adopt: 'adopted',
  reassert: 'written again',
};

const shown: readonly { readonly kind: ResultKind; readonly format: 'red' | 'yellow' | 'magenta' }[] = [
  { kind: 'failed', format: 'red' },
  { kind: 'unrecorded', format: 'red' },
  { kind: 'unknown', format: 'magenta' },
  { kind: 'diverged', format: 'yellow' },
  { kind: 'not-started', format: 'yellow' },
];

const LISTED = 20;

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

/** What did not go as planned, as lines; none where all did. */
export function renderApplyDetails(report: ApplyReport, color: boolean, reader: Reader): readonly string[] {
  const style = styleFor(color);
  const { credentials, flags, askedFor = {} } = reader;
  const parts = shown.flatMap(({ kind, format }) => {
    // What the plan above says already, and what was not started for the reason of the whole run, is only counted.
    const found = report.results.filter(
      ({ result, action, reason }) =>
        result === kind && action !== 'unknown' && (kind !== 'not-started' || reason !== undefined),
    );
    const lines = found
      .slice(0, LISTED)
      .flatMap((result) => resultLines(result, style(format, kind.padEnd(10)), style, credentials, flags));
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
  credentials: CredentialNames,
  flags: string,
): readonly string[] {
  const address = escapeTerminal(result.address);
  const id = result.remoteId === null ? '' : `  id ${escapeTerminal(result.remoteId)}`;
  const fits = 11 + address.length + id.length <= WIDTH;
  return [
    `${label} ${address}${fits ? style('dim', id) : ''}`,
    ...(fits ? [] : [style('dim', id)]),
    ...explanation(result, credentials, flags).flatMap((text) => wrap(escapeTerminal(text), '  ', '  ')),
  ];
}

function explanation(result: ChangeResult, credentials: CredentialNames, flags: string): readonly string[] {
  const { error, reason, fields = [] } = result;
  const said = error ? renderServiceError(error, credentials) : undefined;
  return [
    ...(said ? [said.message] : []),
    ...(reason ? [reason] : []),
    ...fields.map(
      ({ path, before, after }) => `${path}: sent ${valueText(after)}, answered ${valueText(before)}`,
    ),
    // What to do about an unknown outcome is said below, and better.
    ...(said && result.result !== 'unknown' ? [said.hint] : []),
    ...nextStep(result, flags),
  ];
}

function nextStep(change: ChangeResult, flags: string): readonly string[] {
  const { result, action, remoteId, address, settles } = change;
  if (result === 'failed') return afterRefusal(change, flags);
  const done =
    result === 'unrecorded' ? 'It was done but could not be recorded' : 'It may or may not be done';
  if (result !== 'unrecorded' && result !== 'unknown') return [];
  if (action !== 'create' && action !== 'replace') return [`${done}. To send it again: trove apply${flags}`];
  const resolve = `trove resolve ${address}${flags}`;
  if (result === 'unrecorded') {
    return [
      `It exists as ${remoteId}, which could not be recorded. Once there is room: ${resolve} --id ${remoteId}`,
    ];
  }
  if (settles) return [`The next run settles it, by the same id once more: trove apply${flags}`];
  return [
    'It may or may not exist, and a person has to look and say.',
    `If the service has it: ${resolve} --id ID`,
    `If it has not: ${resolve} --not-created`,
  ];
}

/** Of a refusal that shows the state to be wrong about the record. */
function afterRefusal({ action, address, error }: ChangeResult, flags: string): readonly string[] {
  if (action === 'adopt' && error?.status === 404)
    return [`If the imported id is wrong: trove state forget ${address}${flags}`];
  if (action === 'create' && error?.status === 409)
    return [`If it is the right state: trove import ${address} ID${flags}`];
  return [];
}

function haltText(halt: Halt): string {
  switch (halt.kind) {
    case 'interrupted':
      return 'interrupted. What was under way was finished and recorded; run it again for the rest.';
    case 'canary':
      return 'none of the first writes succeeded, so nothing else was sent.';
    case 'wrong-team':
      return `the service answered for team ${halt.answered}, and the environment names team ${halt.expected}. Check teamId and the credentials.`;
    case 'service':
      return 'that would go wrong for every other write too, so nothing else was sent.';
    case 'journal':
      return `the outcome could not be written down (${halt.message}), so nothing else was sent.`;
  }
}

/** Said where renames or protections were all there was to do. */
export function recordedOnly(environment: string): string {
  return `Recorded for ${escapeTerminal(environment)}. Nothing was sent.\n`;
}

/** One sentence that can be read aloud: what was done, then what was not. */
export function applySummary(report: ApplyReport): string {
  const { results, environment } = report;
  const { done, open } = outcomeOf(report);
  if (done.length > 0) return `Applied to ${environment}: ${[...done, ...open].join(', ')}.`;
  // Of what was sent and not seen, nobody knows whether it changed anything.
  const uncertain = results.some(({ result }) => result === 'unknown' || result === 'unrecorded');
  const first = uncertain
    ? `Nothing is confirmed in ${environment}`
    : `Nothing was changed in ${environment}`;
  return open.length > 0 ? `${first}: ${open.join(', ')}.` : `${first}.`;
}

/** What else was done is not known: nothing here says that it was not. */
function summarySoFar(report: ApplyReport): string {
  const { done, open } = outcomeOf(report);
  const words = [...done, ...open].join(', ') || 'no outcome is told';
  return `Not finished in ${report.environment}, so far: ${words}.`;
}

/** `78 created`, and `1 failed`: what was done, and what was not. */
export function outcomeOf({ results }: ApplyReport) {
  const count = (test: (result: ChangeResult) => boolean) => results.filter(test).length;
  const done = Object.entries(past).flatMap(([action, word]) => {
    const number = count(
      (each) => each.action === action && ['applied', 'diverged', 'recorded'].includes(each.result),
    );
    return number > 0 ? [`${number} ${word}`] : [];
  });
  const open = (['diverged', 'failed', 'unknown', 'unrecorded', 'blocked', 'not-started'] as const).flatMap(
    (kind) => {
      const number = count(({ result }) => result === kind);
      return number > 0 ? [`${number} ${kind.replace('-', ' ')}`] : [];
    },
  );
  return { done, open };
}

/** The report for programs, in the words of `ApplyReport`; `state` is null where it could not be saved. */
export function renderApplyJson(report: ApplyReport, saved: State | undefined): string {
  const count = (kind: ResultKind) => report.results.filter(({ result }) => result === kind).length;
  const summary = Object.fromEntries(resultKinds.map((kind) => [kind, count(kind)]));
  const state = saved ? { lineage: saved.lineage, serial: saved.serial } : null;
  return renderJson({ formatVersion: 1, ...report, summary, state });
}
