import type { Address } from '../../src/catalog/model.ts';
import type { State } from '../../src/state/model.ts';
import { recorded } from '../rig/recorded.ts';

/** The lines `intent ADDRESS` and `answered ADDRESS` of a child that the state does not bear out. */
export function missingFrom(state: State | undefined, lines: readonly string[]): readonly string[] {
  const pending = new Set(recorded(state).pending.map(({ address }) => address));
  return lines.filter((line) => {
    const [type, address] = line.split(' ') as [string, Address];
    const isRecorded = recorded(state).live[address]?.id === `id-of-${address}`;
    if (type === 'answered') return !isRecorded;
    return type === 'create-intent' && !isRecorded && !pending.has(address);
  });
}
