import type { State } from '../state/model.ts';
import type { ReplacementRisks } from '../state/replacement.ts';
import { counted } from '../text/counted.ts';
import { escapeTerminal } from './escape.ts';
import { alignColumns } from './table.ts';

/** What the state is after a push. */
export function renderPushed({ entries, serial }: State): string {
  const records = entries.filter(({ status }) => status !== 'pending' && status !== 'forgotten').length;
  return `The state is replaced: ${counted(records, 'record')}, serial ${serial}.
`;
}

/** What a forced push has lost, so that it stands in the scrollback at least. */
export function renderLost({ lost }: Pick<ReplacementRisks, 'lost'>): string {
  if (lost.length === 0) return '';
  const rows = lost.map(({ address, id }) => ['', address, id ?? 'a pending create'].map(escapeTerminal));
  return `Lost with it:\n${alignColumns(rows)}`;
}
