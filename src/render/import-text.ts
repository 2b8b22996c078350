import { parseAddress } from '../catalog/model.ts';
import type { ImportPlan, ImportRow } from '../state/import/check-import.ts';
import type { Target } from '../state/model.ts';
import { counted } from '../text/counted.ts';
import { escapeTerminal } from './escape.ts';
import { describeTarget } from './plan-view.ts';
import { styleFor } from './style.ts';
import { wrapWords } from './wrap.ts';

const ROWS_SHOWN = 100;
const CONFIRMED_LATER = 'Nothing is sent. The next apply writes each of them once to confirm it.';

const marks = {
  import: { label: '& import   ', format: 'cyan' },
  known: { label: '= known    ', format: 'gray' },
} as const;

/** What an import would record: what is new comes first. */
export function renderImportPreview(
  { rows }: ImportPlan,
  { environment, target }: { readonly environment: string; readonly target: Target },
  color: boolean,
): string {
  const style = styleFor(color);
  const sorted = rows.toSorted((a, b) => Number(isNew(b)) - Number(isNew(a)));
  const shown = sorted.slice(0, ROWS_SHOWN);
  const widest = shown.reduce((width, { address }) => Math.max(width, address.length), 0);
  const folded = rows.length - shown.length;
  const title = `Import for ${environment}: ${describeTarget({ target })}`;
  return [
    ...wrapWords(escapeTerminal(title), '', '  ').map((line) => style('bold', line)),
    ...(rows.some(isNew) ? [style('dim', CONFIRMED_LATER)] : []),
    '',
    ...shown.map(({ address, id, outcome }) => {
      const { label, format } = marks[outcome];
      return `${style(format, label)}${address.padEnd(widest)}  ${escapeTerminal(id)}`;
    }),
    ...(folded > 0 ? [`           ... and ${folded} more; --format json lists them all`] : []),
    '',
    style('bold', summaryOf(rows)),
    '',
  ].join('\n');
}

/** What an import has recorded, in one sentence. */
export function renderImported({ rows }: ImportPlan, environment: string): string {
  const recorded = countOf(rows.filter(isNew));
  return `Recorded for ${environment}: ${recorded}.\n`;
}

function summaryOf(rows: readonly ImportRow[]): string {
  const known = rows.filter(({ outcome }) => outcome === 'known');
  const fresh = rows.filter(isNew);
  if (fresh.length === 0) return `Nothing to import: ${countOf(known)} known already.`;
  return `Import: ${countOf(fresh)}${known.length > 0 ? `; ${countOf(known)} known already` : ''}.`;
}

function isNew({ outcome }: ImportRow): boolean {
  return outcome === 'import';
}

function countOf(rows: readonly ImportRow[]): string {
  const options = rows.filter(({ address }) => parseAddress(address)?.option !== undefined).length;
  const records = rows.length - options;
  const parts = [
    ...(records > 0 ? [counted(records, 'record')] : []),
    ...(options > 0 ? [counted(options, 'option')] : []),
  ];
  return parts.join(' and ');
}
