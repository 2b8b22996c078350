import { standingOf } from '../state/entries.ts';
import type { StateEntry } from '../state/model.ts';
import { quotedForShell } from '../text/quoted.ts';
import { escapeTerminal } from './escape.ts';
import { alignColumns } from './table.ts';
import { wrap } from './wrap.ts';

export interface MovedView {
  readonly from: string;
  readonly to: string;
  /** Undefined where the catalog is not valid now, so that nobody knows. */
  readonly declared: { readonly from: boolean | undefined; readonly to: boolean | undefined };
  readonly flags: string;
}

/** What `trove state mv` has done, and what the next plan makes of it. */
export function renderMoved({ from, to, declared, flags }: MovedView): string {
  return lines(
    `${from} is now recorded as ${to}. Nothing was sent.`,
    ...(declared.from === false ? [] : [createsAgain(from, declared.from)]),
    ...(declared.to === true ? [] : [isRemoved(to, declared.to)]),
    `In the catalog, moved: [{ from: ${from}, to: ${to} }] does the same for every environment, and can be reviewed.`,
    `What comes next: trove plan${flags}`,
  );
}

/** The ids that are about to be lost, so that they stand in the scrollback at least. */
export function renderForgetting(
  address: string,
  entries: readonly StateEntry[],
  isDeclared: boolean | undefined,
): string {
  const rows = entries.flatMap((entry) => [
    ['', address, standingOf(entry), 'id' in entry ? entry.id : ''],
    ...Object.entries(('options' in entry && entry.options) || {}).map(([option, optionId]) => [
      '',
      `${address}.${option}`,
      'option',
      optionId,
    ]),
  ]);
  return [
    'To be forgotten:\n',
    alignColumns(rows.map((row) => row.map(escapeTerminal))),
    lines(
      'The service keeps what it has, since there is no delete. Only Trove forgets.',
      ...(isDeclared === false ? [] : [asksAgain(address, isDeclared)]),
    ),
  ].join('');
}

export function renderForgotten(entry: StateEntry, isDeclared: boolean | undefined, flags: string): string {
  const { address } = entry;
  const id = 'id' in entry ? entry.id : 'ID';
  const command = `trove import${flags} ${address} ${quotedForShell(id)}`;
  const when = isDeclared ? '' : ', once the catalog declares it';
  const back = wrap(`To have it back${when}: ${escapeTerminal(command)}`, '', '  ').join('\n');
  return `\nForgotten: ${address}.\n${back}\n`;
}

/** `isDeclared` is undefined where the catalog is not valid now. */
function createsAgain(address: string, isDeclared: boolean | undefined): string {
  const then = 'to plan it is new, and its create would make a second record.';
  return isDeclared
    ? `The catalog declares ${address}: ${then}`
    : `If the catalog declares ${address}, ${then}`;
}

function asksAgain(address: string, isDeclared: boolean | undefined): string {
  const then = 'it is not created a second time before somebody says so (--confirm-new).';
  return isDeclared
    ? `The catalog declares ${address}: ${then}`
    : `If the catalog declares ${address}, ${then}`;
}

function isRemoved(address: string, isDeclared: boolean | undefined): string {
  const then = 'to plan it is removed.';
  return isDeclared === false
    ? `The catalog does not declare ${address}: ${then}`
    : `If the catalog does not declare ${address}, ${then}`;
}

function lines(...texts: readonly string[]): string {
  return `${texts.flatMap((text) => wrap(escapeTerminal(text), '', '  ')).join('\n')}\n`;
}
