import type { ApplyReport } from '../apply/model.ts';
import type { Plan } from '../plan/model.ts';
import { isSelected } from '../plan/wishes.ts';

/** The flags that ask for changes which no later plan has by itself. */
export type AskedFor = Pick<Plan, 'reassert' | 'replace' | 'targets'>;

/** Named one by one while they are few; a repeated --reassert does no harm to what was written already. */
const NAMED = 5;

/** The command for what was asked for by flags and not started; undefined where nothing is left of it. */
export function remainingWishes(
  { results }: ApplyReport,
  { reassert = [], replace = [], targets = [] }: AskedFor,
  flags: string,
): string | undefined {
  const left = results.filter(({ result }) => result === 'not-started' || result === 'waiting');
  const replaced = left.filter(({ action, address }) => action === 'replace' && replace.includes(address));
  const written = left.filter(
    ({ action, address }) => action === 'reassert' && isSelected(reassert, address),
  );
  if (replaced.length + written.length === 0) return undefined;
  const again =
    written.length > NAMED
      ? ['--reassert', ...targets.map((address) => `--target ${address}`)]
      : written.map(({ address }) => `--reassert ${address}`);
  const anew = replaced.map(({ address }) => `--replace ${address}`);
  const wishes = [...anew, ...again].join(' ');
  return `trove apply${flags} ${wishes}`;
}
