import {
  type ApplyReport,
  type ChangeResult,
  type Halt,
  type ResultKind,
  resultKinds,
} from '../apply/model.ts';
import type { Action } from '../plan/model.ts';
import type { CredentialNames } from '../environment/model.ts';
import type { State } from '../state/model.ts';
import { escapeTerminal } from './escape.ts';
import { valueText } from './plan-view.ts';
import { renderServiceError } from './service-error.ts';
import { type Style, styleFor } from './style.ts';
import { wrap } from './wrap.ts';

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
];

const LISTED = 20;

/** The end of an apply: what did not go as planned with its place and next step, then one sentence. */
export function renderApplyText(report: ApplyReport, color: boolean, credentials: CredentialNames): string {
  const style = styleFor(color);
  const parts = shown.flatMap(({ kind, format }) => {
    const found = report.results.filter(({ result }) => result === kind);
    const lines = found
      .slice(0, LISTED)
      .flatMap((result) => resultLines(result, style(format, kind.padEnd(10)), style, credentials));
    const more =
      found.length > LISTED ? [`  ... and ${found.length - LISTED} more; --format json lists them all`] : [];
    return [...lines, ...more];
  });
  const halt = report.halt ? wrap(`Stopped: ${escapeTerminal(haltText(report.halt))}`, '', '  ') : [];
  return [...parts, ...halt, style('bold', applySummary(report)), ''].join('\n');
}

function resultLines(
  result: ChangeResult,
  label: string,
  style: Style,
  credentials: CredentialNames,
): readonly string[] {
  const id = result.remoteId === null ? '' : style('dim', `  id ${escapeTerminal(result.remoteId)}`);
  return [
    `${label} ${escapeTerminal(result.address)}${id}`,
    ...explanation(result, credentials).flatMap((text) => wrap(escapeTerminal(text), '  ', '  ')),
  ];
}

function explanation(result: ChangeResult, credentials: CredentialNames): readonly string[] {
  const { error, reason, fields = [] } = result;
  const said = error ? renderServiceError(error, credentials) : undefined;
  return [
    ...(said ? [said.message] : []),
    ...(reason ? [reason] : []),
    ...fields.map(
      ({ path, before, after }) => `${path}: sent ${valueText(after)}, answered ${valueText(before)}`,
    ),
    ...(said ? [said.hint] : []),
    ...nextStep(result),
  ];
}

function nextStep({ result, action, remoteId, address }: ChangeResult): readonly string[] {
  if (result === 'unrecorded') {
    return [
      `It exists as ${remoteId} but could not be recorded. Once there is room: trove resolve ${address} --id ${remoteId}`,
    ];
  }
  if (result !== 'unknown') return [];
  if (action !== 'create') return ['It may or may not have been taken. To send it again: trove apply'];
  return [
    'It may or may not exist. Where the service honours ids, the next trove apply settles it; otherwise a person has to say.',
    `If the service has it: trove resolve ${address} --id ID`,
    `If it has not: trove resolve ${address} --not-created`,
  ];
}

function haltText(halt: Halt): string {
  switch (halt.kind) {
    case 'interrupted':
      return 'interrupted. What was under way was finished and recorded; run trove apply again for the rest.';
    case 'canary':
      return 'the first writes were all refused, so nothing else was sent.';
    case 'wrong-team':
      return `the service answered for team ${halt.answered}, and the environment names team ${halt.expected}. Check teamId and the credentials.`;
    case 'service':
      return 'that would go wrong for every other write too, so nothing else was sent.';
    case 'journal':
      return `the outcome could not be written down (${halt.message}), so nothing else was sent.`;
  }
}

/** One sentence that can be read aloud: what was done, then what was not. */
export function applySummary({ results, environment }: ApplyReport): string {
  const count = (test: (result: ChangeResult) => boolean) => results.filter(test).length;
  const done = Object.entries(past).flatMap(([action, word]) => {
    const number = count(
      (each) => each.action === action && ['applied', 'diverged', 'recorded'].includes(each.result),
    );
    return number > 0 ? [`${number} ${word}`] : [];
  });
  const open = (['diverged', 'failed', 'unknown', 'unrecorded', 'not-started'] as const).flatMap((kind) => {
    const number = count(({ result }) => result === kind);
    return number > 0 ? [`${number} ${kind.replace('-', ' ')}`] : [];
  });
  const first =
    done.length > 0
      ? `Applied to ${environment}: ${done.join(', ')}`
      : `Nothing was changed in ${environment}`;
  if (open.length === 0) return `${first}.`;
  return `${first}${done.length > 0 ? ', ' : ': '}${open.join(', ')}.`;
}

/** The report for programs, in the words of `ApplyReport`, with the state as it was saved. */
export function renderApplyJson(report: ApplyReport, { lineage, serial }: State): string {
  const count = (kind: ResultKind) => report.results.filter(({ result }) => result === kind).length;
  const summary = Object.fromEntries(resultKinds.map((kind) => [kind, count(kind)]));
  return `${JSON.stringify({ formatVersion: 1, ...report, summary, state: { lineage, serial } }, null, 2)}\n`;
}
