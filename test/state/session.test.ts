import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fold } from '../../src/state/draft.ts';
import type { StateEvent } from '../../src/state/event.ts';
import { FileStore } from '../../src/state/file/store.ts';
import { formatState } from '../../src/state/format.ts';
import type { State } from '../../src/state/model.ts';
import { readRecorded } from '../../src/state/replay.ts';
import { openSession } from '../../src/state/session.ts';
import { inWords } from '../rig/in-words.ts';
import { recorded } from '../rig/recorded.ts';
import { answered, emptyState, intent, itemRecord, manyAnswers, owner, target, updating } from './events.ts';
import {
  begin,
  crash,
  eventsOf,
  freshPlace,
  liveIn,
  openedSession,
  rulesOf,
  stateOf,
  unlocked,
  unwrap,
} from './results.ts';

const otherTarget = { ...target, teamId: 'team_8' };

/** A session of a new state, with these events recorded. */
async function started(...events: readonly StateEvent[]) {
  const place = await freshPlace();
  const session = await openedSession(place.store);
  for (const event of events) await session.record(event);
  return { ...place, session };
}

/** What a killed run leaves after it recorded these events since its first save. */
async function interrupted(...events: readonly StateEvent[]) {
  const { session, ...place } = await started();
  unwrap(await session.save(emptyState()));
  for (const event of events) await session.record(event);
  await crash(place.store, session);
  return place;
}

describe('a session', () => {
  it('records, saves once, and finds the same state the next time', async () => {
    const { store, folder, session } = await started();
    await Promise.all(manyAnswers(50).map((event) => session.record(event)));
    const saved = unwrap(await session.save());
    expect(saved).toMatchObject({ serial: 1 });
    expect(liveIn(saved)).toHaveLength(50);
    unwrap(await session.close());
    expect(await readdir(folder)).toEqual(['state.json']);
    const next = await openedSession(store);
    expect([next.state, next.recovered]).toEqual([saved, 0]);
    unwrap(await next.close());
  });

  it('leaves the file and its serial as they are if nothing happened', async () => {
    const { path, session } = await started(answered('item.a'));
    unwrap(await session.save());
    const before = await readFile(path, 'utf8');
    expect(unwrap(await session.save()).serial).toBe(1);
    expect(await readFile(path, 'utf8')).toBe(before);
    await session.close();
  });

  it('stores nothing in a new place if nothing recorded lasts', async () => {
    const { store, session } = await started(intent('item.a'), {
      type: 'create-rejected',
      address: 'item.a',
    });
    expect(unwrap(await session.save()).serial).toBe(0);
    unwrap(await session.close());
    expect(unwrap(await readRecorded(store))).toBeUndefined();
  });
});

describe('a session whose process is about to end', () => {
  it('has every outcome in the journal, and no intent of an unsent request', async () => {
    const { path, session } = await started(intent('item.a'), intent('item.b'), intent('item.c'));
    void session.record(answered('item.a'));
    // The first line is being written by now, and the next one waits for it.
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    void session.record(answered('item.b'));
    const stopped = async () => session.record({ type: 'create-rejected', address: 'item.d' });
    void session.record(intent('item.d')).then(stopped);
    expect(session.isSettled).toBe(false);
    await session.settled();
    expect([session.isSettled, session.unwritten]).toEqual([true, []]);
    // What the next run finds if the process ends now.
    const journal = readFileSync(`${path}.journal`);
    const copy = await freshPlace();
    writeFileSync(`${copy.path}.journal`, journal);
    expect(recorded(await stateOf(copy.store))).toMatchObject({
      live: { 'item.a': {}, 'item.b': {} },
      pending: [{ address: 'item.c' }],
    });
    expect(session.entries.all('pending').map(({ address }) => address)).toEqual(['item.c']);
    await session.close();
  });

  it('returns the outcomes that the journal could not record', async () => {
    const { path, session } = await started(intent('item.a'));
    await rm(`${path}.journal`);
    const recording = expect(session.record(answered('item.a'))).rejects.toThrow('journal-replaced');
    await session.settled();
    expect(session.unwritten).toEqual([answered('item.a')]);
    await recording;
    await session.close();
  });
});

describe('a run after a crash', () => {
  it('restores everything from the journal if nothing was saved', async () => {
    const { store, path, session } = await started(intent('item.a'), answered('item.b'));
    await crash(store, session);
    expect(await stateOf(store)).toEqual(fold(emptyState(), [intent('item.a'), answered('item.b')]));
    await expect(readFile(path)).rejects.toThrow('ENOENT');
  });

  it('continues the journal after a torn last write', async () => {
    const { store, path, session } = await started(answered('item.a'));
    await crash(store, session);
    await writeFile(`${path}.journal`, '1234abcd [{"type":"ans', { flag: 'a' });
    const next = await openedSession(store);
    await next.record(answered('item.b'));
    await crash(store, next);
    expect(await eventsOf(store)).toEqual([answered('item.a'), answered('item.b')]);
  });

  it('adds nothing from a journal whose events were already saved', async () => {
    const { store, path, session } = await started(answered('item.a'), intent('item.b'));
    const journal = await readFile(`${path}.journal`);
    const saved = unwrap(await session.save());
    await writeFile(`${path}.journal`, journal);
    await crash(store, session);
    expect(unwrap(await readRecorded(store))).toMatchObject({ state: saved, stored: saved, events: [] });
    const next = await openedSession(store);
    expect(unwrap(await store.journal.read())).toBeUndefined();
    await next.record(answered('item.b'));
    await crash(store, next);
    expect(await eventsOf(store)).toEqual([answered('item.b')]);
  });
});

describe('the journal of a replaced state', () => {
  const replaced = async (path: string, state: State) => {
    await writeFile(path, formatState(state));
    return rulesOf(await readRecorded(new FileStore({ path })));
  };
  const refused = ['journal-mismatch'];
  const created = [answered('item.a'), intent('item.b')];

  const later = '2026-03-02T12:00:00.000Z';
  const answeredLater: StateEvent = {
    type: 'answered',
    address: 'item.a',
    record: { ...itemRecord('id-of-item.a'), at: later },
  };
  const sentLater = updating('item.a', undefined, later);
  const unseen: StateEvent = { type: 'create-unknown', address: 'item.b', reason: 'timeout' };
  const distrusted: StateEvent = { ...unseen, answer: itemRecord('only-here').answer };
  const imported: StateEvent = { type: 'imported', address: 'classifier.c', at: later, id: 'c1' };

  it.each<[string, StateEvent[], StateEvent[], StateEvent[]]>([
    ['its IDs', [], created, []],
    ['its creates', [], created, [answered('item.a')]],
    ['its last response', [answered('item.a')], [answeredLater], [sentLater]],
    ['its last request', [answered('item.a')], [sentLater], []],
    ['a distrusted response', [intent('item.b')], [distrusted], [unseen]],
    [
      'an ID that an earlier attempt returned',
      [intent('item.b')],
      [{ ...unseen, otherId: 'only-here' }],
      [unseen],
    ],
    ['imported options', [intent('item.b')], [{ ...imported, options: { o: 'only-here' } }], [imported]],
  ])('is refused if a newer state lacks %s', async (_, first, ours, theirs) => {
    const { store, path, session } = await started(...first);
    const before = unwrap(await session.save());
    for (const event of ours) await session.record(event);
    await crash(store, session);
    const newer = (events: readonly StateEvent[]) => ({ ...fold(before, events), serial: 9 });
    expect(await replaced(path, newer(theirs))).toEqual(refused);
    expect(await replaced(path, newer(ours))).toEqual([]);
    if (ours[0] === sentLater) expect(await replaced(path, newer([answeredLater]))).toEqual([]);
  });

  it('is accepted if a newer state has its create pending, despite a refused retry', async () => {
    const { store, path, session } = await started(intent('item.b'));
    const before = unwrap(await session.save());
    const earlier = recorded(before).pending[0];
    const again = { ...intent('item.b'), at: later } as StateEvent;
    const refusal: StateEvent = { type: 'create-rejected', address: 'item.b', ...(earlier && { earlier }) };
    for (const event of [again, refusal]) await session.record(event);
    await crash(store, session);
    expect(await replaced(path, { ...fold(before, [again, refusal]), serial: 9 })).toEqual([]);
  });

  it('is refused if the state is older, of another lineage or target, or gone', async () => {
    const { store, path, session } = await started();
    unwrap(await session.save());
    await session.record(intent('item.c'));
    unwrap(await session.save());
    for (const event of created) await session.record(event);
    await crash(store, session);
    for (const other of [
      { serial: 1 },
      { serial: 2, lineage: 'another' },
      { serial: 2, target: otherTarget },
    ])
      expect(await replaced(path, { ...emptyState(), ...other })).toEqual(refused);
    await rm(path);
    const outcome = await openSession(store, await owner(), begin);
    expect(outcome).toMatchObject({ diagnostics: [{ rule: 'journal-mismatch', subject: path }] });
  });
});

const mismatch = 'journal-mismatch';

it.each<[string, string, (state: State) => string | undefined]>([
  ['was changed', mismatch, (state) => formatState({ ...state, entries: [] })],
  ['was replaced by a later one', mismatch, (state) => formatState({ ...state, entries: [], serial: 9 })],
  ['is of another lineage', mismatch, (state) => formatState({ ...state, lineage: 'another' })],
  ['is gone', mismatch, () => undefined],
  ['has conflict markers', 'state-not-json', (state) => `<<<<<<< HEAD\n${formatState(state)}`],
  ['is not valid', 'state-invalid', (state) => formatState(state).replace('"entries"', '"entires"')],
])(
  'the journal of a state that %s (%s) goes on with the one that it continues, and only that',
  async (_, refused, change) => {
    const { store, path, session } = await started(answered('item.a'));
    const before = unwrap(await session.save());
    const created = [answered('item.b'), intent('item.c')];
    for (const event of created) await session.record(event);
    await crash(store, session);
    const changed = change(before);
    await (changed === undefined ? rm(path) : writeFile(path, changed));
    const other = { ...begin, initial: { ...before, entries: [] } };
    expect(rulesOf(await openSession(store, await owner(), other))).toEqual([refused]);
    const options = { ...begin, initial: before };
    // Nothing is written before the save, which a crash may prevent.
    await crash(store, await openedSession(store, options));
    const next = await openedSession(store, options);
    expect([next.recovered, next.restored?.entries]).toEqual([2, fold(before, created).entries]);
    const saved = unwrap(await next.save(next.restored));
    await next.close();
    expect(saved.serial).toBeGreaterThan(before.serial);
    expect(saved.revisions).toEqual([expect.any(String), ...(before.revisions ?? [])]);
    expect(await stateOf(store)).toEqual(saved);
    expect(unwrap(await store.journal.read())).toBeUndefined();
  },
);

describe('the journal of a moved state', () => {
  const created = [intent('item.a'), answered('item.b')];
  const elsewhere = ['journal-elsewhere'];

  async function movedTo(from: string, ...names: readonly string[]) {
    const folder = dirname(from);
    const path = join(folder, ...names);
    await mkdir(dirname(path), { recursive: true });
    await rename(from, path);
    return { path, store: new FileStore({ path, within: { path: folder, called: 'catalog' } }) };
  }

  it.each([
    ['beside it', ['qa.json']],
    ['in another folder of the catalog', ['ops', 'state', 'qa.json']],
  ])('is found %s, and stops every run until it is moved too', async (_, names) => {
    const { path } = await interrupted(...created);
    const moved = await movedTo(path, ...names);
    const read = await readRecorded(moved.store);
    expect(rulesOf(read)).toEqual(elsewhere);
    expect(JSON.stringify(read.ok || inWords(read.diagnostics))).toContain(
      `mv -n ${path}.journal ${moved.path}.journal`,
    );
    expect(JSON.stringify(read)).toContain('id-of-item.b');
    expect(rulesOf(await openSession(moved.store, await owner(), begin))).toEqual(elsewhere);
    await rename(`${path}.journal`, `${moved.path}.journal`);
    expect(await eventsOf(moved.store)).toEqual(created);
  });

  it('is found beside the link that now leads to the state', async () => {
    const { path, open: openAgain } = await interrupted(...created);
    await movedTo(path, 'shared', 'state.json');
    await symlink('shared/state.json', path);
    expect(rulesOf(await readRecorded(openAgain()))).toEqual(elsewhere);
  });

  it('stops every run, even without an ID, until the state contains it all', async () => {
    const { path } = await interrupted(intent('item.a'));
    const journal = await readFile(`${path}.journal`);
    const moved = await movedTo(path, 'qa.json');
    expect(rulesOf(await readRecorded(moved.store))).toEqual(elsewhere);
    await rename(`${path}.journal`, `${moved.path}.journal`);
    const session = await openedSession(moved.store);
    expect(unwrap(await session.save()).serial).toBe(2);
    await session.close();
    await writeFile(`${path}.journal`, journal);
    expect(rulesOf(await readRecorded(moved.store))).toEqual([]);
  });

  it('is ignored if it belongs to another state or is no journal', async () => {
    const { folder, store } = await interrupted(...created);
    await writeFile(join(folder, 'money.journal'), '2026-01-01 groceries\n');
    const other = new FileStore({ path: join(folder, 'other.json'), target: otherTarget });
    const session = await openedSession(other, { initial: { ...emptyState(), lineage: 'another' } });
    unwrap(await session.save());
    await session.close();
    expect(rulesOf(await readRecorded(other))).toEqual([]);
    expect(rulesOf(await readRecorded(store))).toEqual([]);
  });

  it('is recognized by its target if the state was never saved', async () => {
    const { folder, path, store, session } = await started(intent('item.a'));
    await crash(store, session);
    const renamed = new FileStore({ path: join(folder, 'qa.json'), target });
    expect(rulesOf(await readRecorded(renamed))).toEqual(elsewhere);
    await rename(`${path}.journal`, join(folder, 'qa.json.journal'));
    expect(await eventsOf(renamed)).toHaveLength(1);
  });
});

describe('a save that fails', () => {
  it('loses nothing: the journal continues, and a later save has everything', async () => {
    const { store, path, session } = await started(answered('item.a'));
    await mkdir(path);
    expect(rulesOf(await session.save())).toEqual(['not-a-file']);
    await session.record(answered('item.b'));
    await rm(path, { recursive: true });
    expect(await eventsOf(store)).toHaveLength(2);
    expect(liveIn(unwrap(await session.save()))).toEqual(['item.a', 'item.b']);
    await session.close();
  });

  it('overwrites nothing if the state changed meanwhile', async () => {
    const { path, session } = await started(intent('item.a'));
    const other = formatState({ ...emptyState(), serial: 4 });
    await writeFile(path, other);
    expect(rulesOf(await session.save())).toEqual(['state-changed']);
    expect(await readFile(path, 'utf8')).toBe(other);
    await session.close();
  });

  it('reports what the state and the journal still contain', async () => {
    const { path, session } = await started(answered('item.a'));
    unwrap(await session.save());
    await session.record(answered('item.b'));
    const kept = async () => liveIn(await session.kept());
    expect(await kept()).toEqual(['item.a', 'item.b']);
    await writeFile(path, '<<<<<<< HEAD');
    expect(await kept()).toEqual(['item.a', 'item.b']);
    await rm(`${path}.journal`);
    expect(await kept()).toEqual([]);
    await rm(path);
    expect(await kept()).toEqual([]);
    await session.close();
  });

  it('to remove its journal causes a warning', async () => {
    const { path, session } = await started();
    await mkdir(`${path}.journal`);
    unwrap(await session.save());
    const warning = { severity: 'warning', rule: 'state-storage', values: { action: 'remove-journal' } };
    expect(await session.close()).toMatchObject({ ok: true, warnings: [warning] });
  });
});

describe('a journal that fails', () => {
  it('keeps the outcomes of the failed commit, and none of its intents', async () => {
    const { store, session } = await started(answered('item.a'));
    const saved = unwrap(await session.save());
    await session.record(answered('item.b'));
    await unlocked(store);
    const events = [intent('item.c'), answered('item.d'), intent('item.e')];
    await Promise.allSettled(events.map((event) => session.record(event)));
    await session.close();
    const left = unwrap(await readRecorded(store));
    expect(left?.events).toEqual([answered('item.b'), answered('item.d')]);
    expect(left?.stored).toEqual(saved);
  });

  it('during a save leaves no pending create that was never sent', async () => {
    const { path, session } = await started(answered('item.a'));
    await rm(`${path}.journal`);
    const refused = expect(session.record(intent('item.b'))).rejects.toMatchObject({ code: 'ESTALE' });
    expect(recorded(unwrap(await session.save())).pending).toEqual([]);
    await refused;
    await session.close();
  });

  it('leaves no open update that was never sent', async () => {
    const { path, session } = await started(answered('item.a'));
    await rm(`${path}.journal`);
    await expect(session.record(updating('item.a'))).rejects.toMatchObject({ code: 'ESTALE' });
    expect(recorded(unwrap(await session.save())).live['item.a']).not.toHaveProperty('unconfirmed');
    await session.close();
  });

  it('drops the intent, keeps the response, and recovers with a save', async () => {
    const { store, path, session } = await started(intent('item.a'));
    await rm(`${path}.journal`);
    const stale = { name: 'JournalError', code: 'ESTALE' };
    await expect(session.record(answered('item.a'))).rejects.toMatchObject(stale);
    await expect(session.record(intent('item.b'))).rejects.toThrow('journal-replaced');
    expect(session.entries.all('pending')).toEqual([]);
    expect(liveIn(unwrap(await session.save()))).toEqual(['item.a']);
    await session.record(intent('item.b'));
    await crash(store, session);
    expect(recorded(await stateOf(store)).pending).toHaveLength(1);
  });
});
