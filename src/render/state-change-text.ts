import type { StateEntry } from '../state/entries.ts';
import { quotedForShell } from '../text/quoted-for-shell.ts';
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
  const consequences = [
    ...(declared.from === false
      ? []
      : [
          `${ifUnsure(declared.from)}the catalog declares ${from}: the next apply would create it as a new record`,
        ]),
    ...(declared.to === true
      ? []
      : [`${ifUnsure(declared.to)}the catalog does not declare ${to}: the next apply would retire it`]),
  ];
  return lines(
    `${from} is now recorded as ${to}. Nothing was sent.`,
    ...consequences.map((text) => `${text[0]?.toUpperCase()}${text.slice(1)}.`),
    `In the catalog, moved: [{ from: ${from}, to: ${to} }] does the same for every environment, and can be reviewed.`,
    `What comes next: trove plan${flags}`,
  );
}

/** The ids that are about to be lost, so that they stand in the scrollback at least. */
export function renderForgetting(entries: readonly StateEntry[], isDeclared: boolean | undefined): string {
  const rows = entries.flatMap(({ address, status, id, content }) => [
    [address, status, id ?? ''],
    ...Object.entries('options' in content ? (content.options ?? {}) : {}).map(([option, optionId]) => [
      `${address}.${option}`,
      'option',
      optionId,
    ]),
  ]);
  const again = `${ifUnsure(isDeclared)}the catalog declares it, so the next apply would create a second record.`;
  return [
    'To be forgotten:\n',
    alignColumns(rows.map((row) => row.map((cell) => escapeTerminal(cell))))
      .replaceAll(/^/gm, '  ')
      .trimEnd(),
    '\n',
    lines(
      'The service keeps the records: there is no delete. Trove would not know them any more.',
      ...(isDeclared === false ? [] : [`${again[0]?.toUpperCase()}${again.slice(1)}`]),
    ),
  ].join('');
}

export function renderForgotten({ address, id }: StateEntry, flags: string): string {
  const command = `trove import${flags} ${address} ${quotedForShell(id ?? 'ID')}`;
  return `\nForgotten: ${address}.\nTo have it back: ${escapeTerminal(command)}\n`;
}

function ifUnsure(known: boolean | undefined): string {
  return known === undefined ? 'perhaps ' : '';
}

function lines(...texts: readonly string[]): string {
  return `${texts.flatMap((text) => wrap(escapeTerminal(text), '', '  ')).join('\n')}\n`;
}
