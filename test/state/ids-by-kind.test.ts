import { describe, expect, it } from 'vitest';
import { fold } from '../../src/state/draft.ts';
import type { StateEvent } from '../../src/state/event.ts';
import { stateCovers } from '../../src/state/replay.ts';
import { replacementRisks } from '../../src/state/version.ts';
import { answered, at, emptyState } from './events.ts';

const classifier: StateEvent = { type: 'imported', address: 'classifier.a', id: '1', at };

describe('an item and a classifier with one id are two records', () => {
  const both = fold(emptyState(), [answered('item.a', '1'), classifier]);
  const onlyItem = fold(emptyState(), [answered('item.a', '1')]);

  it('a journal that names the one is not taken in by a state that has the other', () => {
    expect(stateCovers(onlyItem, [classifier])).toBe(false);
    expect(stateCovers(both, [classifier])).toBe(true);
  });

  it('a state that has the one does not replace a state that has both', () => {
    expect(replacementRisks(both, onlyItem).lost).toMatchObject([{ address: 'classifier.a', id: '1' }]);
  });
});
