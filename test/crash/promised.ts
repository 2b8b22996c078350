import type { Address } from '../../src/catalog/model.ts';
import type { State } from '../../src/state/model.ts';

/** The lines `intent ADDRESS` and `answered ADDRESS` of a child that the state does not bear out. */
export function missingFrom(state: State | undefined, lines: readonly string[]): readonly string[] {
  const pending = new Set(state?.pending.map(({ address }) => address));
  return lines.filter((line) => {
    const [type, address] = line.split(' ') as [string, Address];
    const recorded = state?.resources[address]?.id === `id-of-${address}`;
    if (type === 'answered') return !recorded;
    return type === 'intent' && !recorded && !pending.has(address);
  });
}
