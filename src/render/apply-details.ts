import type { ApplyReport, ChangeResult, ResultKind } from '../apply/model.ts';
import { escapeTerminal } from './escape.ts';
import { haltText } from './halt-text.ts';
import { nextSteps } from './next-steps.ts';
import type { Reader } from './reader.ts';
import { remainingWishes } from './remaining-wishes.ts';
import { renderServiceError } from './service-error.ts';
import { type Style, styleFor } from './style.ts';
import { valueText } from './value-text.ts';
import { WIDTH, wrap } from './wrap.ts';

const shown: readonly { readonly kind: ResultKind; readonly format: 'red' | 'yellow' | 'magenta' }[] = [
  { kind: 'failed', format: 'red' },
  { kind: 'unrecorded', format: 'red' },
  { kind: 'unknown', format: 'magenta' },
  { kind: 'waiting', format: 'magenta' },
  { kind: 'diverged', format: 'yellow' },
  { kind: 'not-started', format: 'yellow' },
];

const LISTED = 20;

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
  report: ApplyReport,
  reader: Reader,
): readonly string[] {
  const address = escapeTerminal(result.address);
  const id = result.remoteId === null ? '' : `  id ${escapeTerminal(result.remoteId)}`;
  const fits = 11 + address.length + id.length <= WIDTH;
  return [
    `${label} ${address}${fits ? style('dim', id) : ''}`,
    ...(fits ? [] : [style('dim', id)]),
    ...explanation(result, report, reader).flatMap((text) => wrap(escapeTerminal(text), '  ', '  ')),
  ];
}

function explanation(
  result: ChangeResult,
  { halt }: ApplyReport,
  { credentials, flags }: Reader,
): readonly string[] {
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
    ...nextSteps(result, flags, halt),
  ];
}
