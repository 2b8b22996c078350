import { copyFileSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fold } from '../../src/state/draft.ts';
import type { StateEvent } from '../../src/state/event.ts';
import { FileStore } from '../../src/state/file/store.ts';
import { formatState } from '../../src/state/format.ts';
import type { State } from '../../src/state/model.ts';
import { readRecorded } from '../../src/state/replay.ts';
import {
  openSession,
  type Session,
  type SessionOptions,
  type SessionOutcome,
} from '../../src/state/session.ts';
import type { Result } from '../../src/text/diagnostic.ts';
import { recorded } from '../rig/recorded.ts';
import {
  answered,
  at,
  emptyState,
  intent,
  itemRecord,
  manyAnswers,
  owner,
  target,
  updating,
} from './events.ts';
import { freshPlace as place, rulesOf, unlocked, unwrap } from './results.ts';

const begin: SessionOptions = { initial: emptyState(), target };

async function open(store: FileStore, options = begin): Promise<Session> {
  return opened(await openSession(store, await owner(), options));
}

function opened(result: Result<SessionOutcome>): Session {
  const outcome = unwrap(result);
  if (outcome.kind === 'open') return outcome.session;
  throw new Error(JSON.stringify(outcome));
}

/** What a killed process leaves behind, but for its lock: closing writes nothing, and only frees the file. */
async function crash(store: FileStore, session: Session): Promise<void> {
  await unlocked(store);
  await session.close();
}

describe('a session', () => {
  it('records, saves once, and finds the same state the next time', async () => {
    const { store, folder } = await place();
    const session = await open(store);
    await Promise.all(manyAnswers(50).map((event) => session.record(event)));
    const saved = unwrap(await session.save());
    expect(saved).toMatchObject({ serial: 1 });
    expect(Object.keys(recorded(saved).live)).toHaveLength(50);
    unwrap(await session.close());
    expect(await readdir(folder)).toEqual(['state.json']);
    const next = await open(store);
    expect(next.state).toEqual(saved);
    expect(next.recovered).toBe(0);
    unwrap(await next.close());
  });

  it('says that nothing is recorded where no state to begin with was given', async () => {
    const { store } = await place();
    expect(unwrap(await openSession(store, await owner()))).toEqual({ kind: 'absent' });
    await (await open(store)).close();
  });

  it('is refused for another target, and gives the lock back', async () => {
    const { store } = await place();
    const session = await open(store);
    unwrap(await session.save());
    await session.close();
    const other = { ...target, teamId: 'team_8' };
    const outcome = await openSession(store, await owner(), { target: other });
    expect(outcome).toMatchObject({ ok: false, diagnostics: [{ rule: 'state-of-another-target' }] });
    expect(JSON.stringify(outcome)).toMatch(/team_7.*team_8/);
    await (await open(store)).close();
  });

  it('saves nothing where nothing happened: the file and its serial stay as they are', async () => {
    const { store, path } = await place();
    const session = await open(store);
    unwrap(await session.save());
    const before = await readFile(path, 'utf8');
    expect(unwrap(await session.save()).serial).toBe(1);
    expect(await readFile(path, 'utf8')).toBe(before);
    await session.close();
  });

  it('saves a change of the whole state', async () => {
    const { store } = await place();
    const session = await open(store);
    await session.record(answered('item.a'));
    const forgetAll = (state: State) => ({ ...state, entries: [] });
    unwrap(await session.save(forgetAll));
    await session.close();
    expect(recorded(unwrap(await readRecorded(store))?.state).live).toEqual({});
  });

  it('keeps events that are recorded while it saves for the next save, and for the journal', async () => {
    const { store } = await place();
    const session = await open(store);
    await session.record(answered('item.before'));
    const saving = session.save();
    const recording = Promise.all(manyAnswers(20).map((event) => session.record(event)));
    const saved = unwrap(await saving);
    expect(Object.keys(recorded(saved).live)).toEqual(['item.before']);
    await recording;
    await crash(store, session);
    const next = await open(store);
    expect(next.recovered).toBe(20);
    expect(Object.keys(recorded(next.state).live)).toHaveLength(21);
    await next.close();
  });

  it('whose process ends has every outcome in the journal before that, and no intent that was never sent', async () => {
    const { store, path } = await place();
    const copy = await place();
    const session = await open(store);
    for (const address of ['item.a', 'item.b', 'item.c'] as const) await session.record(intent(address));
    const recording = [session.record(answered('item.a'))];
    // The first line is being written by now, and what comes next waits for it.
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    recording.push(session.record(answered('item.b')), session.record(intent('item.d')));
    expect(session.recordNow()).toEqual([]);
    copyFileSync(`${path}.journal`, `${copy.path}.journal`);
    const left = unwrap(await readRecorded(copy.store))?.state;
    expect(recorded(left)).toMatchObject({
      live: { 'item.a': {}, 'item.b': {} },
      pending: [{ address: 'item.c' }],
    });
    expect(session.entries.all('pending').map(({ address }) => address)).toEqual(['item.c']);
    await Promise.allSettled(recording);
    await session.close();
  });

  it('whose process ends keeps what was answered beside an intent that is still looked at', async () => {
    const { store, path } = await place();
    const copy = await place();
    const session = await open(store);
    await session.record(intent('item.a'));
    const recording = [session.record(answered('item.a')), session.record(intent('item.b'))];
    // Whether the state was moved is found out by now.
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    expect(session.recordNow()).toEqual([]);
    copyFileSync(`${path}.journal`, `${copy.path}.journal`);
    const left = unwrap(await readRecorded(copy.store))?.state;
    expect(recorded(left)).toMatchObject({ live: { 'item.a': {} }, pending: [] });
    await Promise.allSettled(recording);
    await session.close();
  });

  it('whose process ends gives the outcomes that the journal could not take', async () => {
    const { store, path } = await place();
    const session = await open(store);
    await session.record(intent('item.a'));
    await rm(`${path}.journal`);
    const recording = session.record(answered('item.a'));
    expect(session.recordNow()).toEqual([answered('item.a')]);
    await expect(recording).rejects.toThrow('removed');
    expect(session.recordNow()).toEqual([answered('item.a')]);
    await session.close();
  });

  it('records nothing more once its lock was removed: who has it now may have read the journal before', async () => {
    const { store } = await place();
    const session = await open(store);
    await session.record(intent('item.a'));
    await unlocked(store);
    await expect(session.record(answered('item.a'))).rejects.toMatchObject({ code: 'ESTALE' });
    await session.close();
  });

  it('throws for an event that can not follow, and does not let it into the journal', async () => {
    const { store } = await place();
    const session = await open(store);
    await session.record(answered('item.a'));
    await expect(session.record({ type: 'create-unknown', address: 'item.b', reason: 'x' })).rejects.toThrow(
      'item.b',
    );
    await session.close();
    expect(unwrap(await readRecorded(store))?.events).toEqual([answered('item.a')]);
  });

  it('takes nothing once it is closed', async () => {
    const { store } = await place();
    const session = await open(store);
    await session.close();
    await expect(session.record(answered('item.a'))).rejects.toThrow('closed');
  });
});

describe('after a crash', () => {
  it('before the first save, the journal alone gives everything back', async () => {
    const { store, path } = await place();
    const session = await open(store);
    await session.record(intent('item.a'));
    await session.record(answered('item.b'));
    await crash(store, session);
    const recorded = unwrap(await readRecorded(store));
    expect(recorded?.state).toEqual(fold(emptyState(), [intent('item.a'), answered('item.b')]));
    await expect(readFile(path)).rejects.toThrow('ENOENT');
  });

  it('and another one, and another, every event is there once', async () => {
    const { store } = await place();
    for (const address of ['item.a', 'item.b', 'item.c'] as const) {
      const session = await open(store);
      await session.record(answered(address));
      await crash(store, session);
    }
    const last = await open(store);
    expect(last.recovered).toBe(3);
    unwrap(await last.save());
    await last.close();
    expect(unwrap(await readRecorded(store))?.events).toEqual([]);
    expect(Object.keys(recorded(unwrap(await store.read())).live)).toEqual(['item.a', 'item.b', 'item.c']);
  });

  it('with a torn last write, goes on after it', async () => {
    const { store, path } = await place();
    const session = await open(store);
    await session.record(answered('item.a'));
    await crash(store, session);
    await writeFile(`${path}.journal`, '1234abcd [{"type":"ans', { flag: 'a' });
    const next = await open(store);
    await next.record(answered('item.b'));
    await crash(store, next);
    expect(unwrap(await readRecorded(store))?.events).toEqual([answered('item.a'), answered('item.b')]);
  });

  it('between the save and the removal of its journal, the journal has nothing to add', async () => {
    const { store, path } = await place();
    const session = await open(store);
    await session.record(answered('item.a'));
    await session.record(intent('item.b'));
    const journal = await readFile(`${path}.journal`);
    const saved = unwrap(await session.save());
    await writeFile(`${path}.journal`, journal);
    await crash(store, session);
    expect(unwrap(await readRecorded(store))).toMatchObject({ state: saved, stored: saved, events: [] });
    const next = await open(store);
    expect(unwrap(await store.journal.replay())).toBeUndefined();
    await next.record(answered('item.b'));
    await crash(store, next);
    expect(unwrap(await readRecorded(store))?.events).toEqual([answered('item.b')]);
  });
});

describe('a journal that does not belong to the state', () => {
  async function interrupted() {
    const { store, path } = await place();
    const session = await open(store);
    unwrap(await session.save());
    await session.record(answered('item.a'));
    await session.record(intent('item.b'));
    await crash(store, session);
    return { store, path, replaceState: (state: State) => writeFile(path, formatState(state)) };
  }

  it('is refused where a newer state was put in its place that does not know its ids', async () => {
    const { store, replaceState } = await interrupted();
    await replaceState({ ...emptyState(), serial: 9 });
    expect(rulesOf(await readRecorded(store))).toEqual(['journal-mismatch']);
    await replaceState({ ...fold(emptyState(), [answered('item.a')]), serial: 9 });
    expect(rulesOf(await readRecorded(store))).toEqual(['journal-mismatch']);
    await replaceState({ ...fold(emptyState(), [answered('item.a'), intent('item.b')]), serial: 9 });
    expect(rulesOf(await readRecorded(store))).toEqual([]);
  });

  it('is refused where the newer state has its ids and not what was last answered or sent for them', async () => {
    const later = '2026-03-02T12:00:00.000Z';
    const answeredLater: StateEvent = {
      type: 'answered',
      address: 'item.a',
      record: { ...itemRecord('id-of-item.a'), at: later },
    };
    const sentLater = updating('item.a', undefined, later);
    for (const event of [answeredLater, sentLater]) {
      const { store, path } = await place();
      const session = await open(store);
      await session.record(answered('item.a'));
      const before = unwrap(await session.save());
      await session.record(event);
      await crash(store, session);
      for (const [events, rules] of [
        [[], ['journal-mismatch']],
        [[sentLater], event === sentLater ? [] : ['journal-mismatch']],
        [[answeredLater], []],
      ] as const) {
        await writeFile(path, formatState({ ...fold(before, events), serial: 9 }));
        expect(rulesOf(await readRecorded(store))).toEqual(rules);
      }
    }
  });

  it('is refused where the state is older, of another lineage, of another target, or gone', async () => {
    const { store, path, replaceState } = await interrupted();
    const otherTarget = { ...target, teamId: 'team_8' };
    for (const other of [
      { serial: 0 },
      { serial: 1, lineage: 'another' },
      { serial: 1, target: otherTarget },
    ]) {
      await replaceState({ ...emptyState(), ...other });
      expect(rulesOf(await readRecorded(store))).toEqual(['journal-mismatch']);
    }
    await rm(path);
    const outcome = await openSession(store, await owner(), begin);
    expect(outcome).toMatchObject({
      ok: false,
      diagnostics: [{ rule: 'journal-mismatch', subject: path }],
    });
  });
});

describe('a journal that the state left behind when it was moved', () => {
  async function interrupted(...events: readonly StateEvent[]) {
    const { folder, path, store } = await place();
    const session = await open(store);
    unwrap(await session.save());
    for (const event of events) await session.record(event);
    await crash(store, session);
    const moved = async (...names: readonly string[]) => {
      const to = join(folder, ...names);
      await mkdir(dirname(to), { recursive: true });
      await rename(path, to);
      return new FileStore({ path: to, within: { path: folder, called: 'the catalog' } });
    };
    return { folder, path, moved };
  }
  const created = [intent('item.a'), answered('item.b')];

  it.each([
    ['beside it', ['qa.json']],
    ['in another folder of the catalog', ['ops', 'state', 'qa.json']],
  ])('is found %s, and nothing is begun until it is moved too', async (_, names) => {
    const { folder, path, moved } = await interrupted(...created);
    const store = await moved(...names);
    const [journal, place] = [path, join(folder, ...names)].map((each) => `${each}.journal`) as [
      string,
      string,
    ];
    const read = await readRecorded(store);
    expect(read).toMatchObject({ diagnostics: [{ rule: 'journal-elsewhere' }] });
    expect(JSON.stringify(read)).toContain(`mv -n ${journal} ${place}`);
    expect(JSON.stringify(read)).toContain('id-of-item.b');
    expect(await openSession(store, await owner(), begin)).toMatchObject({
      diagnostics: [{ rule: 'journal-elsewhere' }],
    });
    await rename(journal, place);
    expect(unwrap(await readRecorded(store))?.events).toEqual(created);
  });

  it('is found beside the link that leads to the state now', async () => {
    const { path, moved } = await interrupted(...created);
    await moved('shared', 'state.json');
    await symlink('shared/state.json', path);
    expect(rulesOf(await readRecorded(new FileStore({ path })))).toEqual(['journal-elsewhere']);
  });

  it('is in the way also where it records no id, and not once a later state has all of it', async () => {
    const { moved, path } = await interrupted(intent('item.a'));
    const store = await moved('qa.json');
    expect(rulesOf(await readRecorded(store))).toEqual(['journal-elsewhere']);
    await copyFile(`${path}.journal`, join(dirname(path), 'qa.json.journal'));
    await rename(`${path}.journal`, join(dirname(path), 'copy'));
    const session = await open(store);
    unwrap(await session.save());
    await rename(join(dirname(path), 'copy'), `${path}.journal`);
    expect(unwrap(await session.save()).serial).toBe(2);
    await session.close();
    expect(rulesOf(await readRecorded(store))).toEqual([]);
  });

  it('of another state is nobody else’s concern, nor is a file that is no journal', async () => {
    const { folder, path } = await interrupted(...created);
    await writeFile(join(folder, 'money.journal'), '2026-01-01 groceries\n');
    const store = new FileStore({
      path: join(folder, 'other.json'),
      target: { ...target, teamId: 'team_8' },
    });
    const initial = { ...emptyState(), lineage: 'another' };
    const session = await open(store, { initial });
    unwrap(await session.save());
    await session.close();
    expect(rulesOf(await readRecorded(store))).toEqual([]);
    expect(rulesOf(await readRecorded(new FileStore({ path })))).toEqual([]);
  });

  it('before its first save is known by its target', async () => {
    const { folder, path, store } = await place();
    const session = await open(store);
    await session.record(intent('item.a'));
    await crash(store, session);
    const renamed = { path: join(folder, 'qa.json'), target };
    expect(rulesOf(await readRecorded(new FileStore(renamed)))).toEqual(['journal-elsewhere']);
    await rename(`${path}.journal`, join(folder, 'qa.json.journal'));
    expect(unwrap(await readRecorded(new FileStore(renamed)))?.events).toHaveLength(1);
  });
});

describe('a save that fails', () => {
  it('loses nothing: the journal goes on, and a later save has everything', async () => {
    const { store, path } = await place();
    const session = await open(store);
    await session.record(answered('item.a'));
    await mkdir(path);
    expect(rulesOf(await session.save())).toEqual(['not-a-file']);
    await session.record(answered('item.b'));
    await rm(path, { recursive: true });
    expect(unwrap(await readRecorded(store))?.events).toHaveLength(2);
    expect(Object.keys(recorded(unwrap(await session.save())).live)).toEqual(['item.a', 'item.b']);
    await session.close();
  });

  it('because the state changed meanwhile overwrites nothing', async () => {
    const { store, path } = await place();
    const session = await open(store);
    await session.record({
      type: 'create-intent',
      address: 'item.a',
      at,
      request: { method: 'POST', path: '/items', body: {} },
    });
    const other = formatState({ ...emptyState(), serial: 4 });
    await writeFile(path, other);
    expect(rulesOf(await session.save())).toEqual(['state-changed']);
    expect(await readFile(path, 'utf8')).toBe(other);
    await session.close();
  });
});

describe('a session tells what is kept', () => {
  it('from the journal alone where the state can not be read, and nothing where both are gone', async () => {
    const { store, path } = await place();
    const session = await open(store);
    await session.record(answered('item.a'));
    unwrap(await session.save());
    await session.record(answered('item.b'));
    const kept = async () => Object.keys(recorded(await session.kept()).live);
    expect(await kept()).toEqual(['item.a', 'item.b']);
    await writeFile(path, '<<<<<<< HEAD');
    expect(await kept()).toEqual(['item.a', 'item.b']);
    await rm(`${path}.journal`);
    expect(await kept()).toEqual([]);
    await rm(path);
    expect(await kept()).toEqual([]);
    await session.close();
  });

  it('and warns of a journal that a save could not remove', async () => {
    const { store, path } = await place();
    const session = await open(store);
    await mkdir(`${path}.journal`);
    unwrap(await session.save());
    expect(await session.close()).toMatchObject({
      ok: true,
      warnings: [{ severity: 'warning', message: expect.stringContaining('could not be removed') }],
    });
  });
});

describe('a journal that fails', () => {
  it('keeps the outcomes of the commit that failed, and no intent of it', async () => {
    const { store } = await place();
    const session = await open(store);
    await session.record(answered('item.a'));
    const saved = unwrap(await session.save());
    await session.record(answered('item.b'));
    await unlocked(store);
    const recording = [intent('item.c'), answered('item.d'), intent('item.e')].map((event) =>
      session.record(event),
    );
    await Promise.allSettled(recording);
    await session.close();
    const left = unwrap(await readRecorded(store));
    expect(left?.events).toEqual([answered('item.b'), answered('item.d')]);
    expect(left?.stored).toEqual(saved);
  });

  it('while a save waits for it leaves no create behind that was never sent', async () => {
    const { store, path } = await place();
    const session = await open(store);
    await session.record(answered('item.a'));
    await rm(`${path}.journal`);
    const refused = expect(session.record(intent('item.b'))).rejects.toMatchObject({ code: 'ESTALE' });
    expect(recorded(unwrap(await session.save())).pending).toEqual([]);
    await refused;
    await session.close();
  });

  it('leaves no update behind that was never sent', async () => {
    const { store, path } = await place();
    const session = await open(store);
    await session.record(answered('item.a'));
    await rm(`${path}.journal`);
    await expect(session.record(updating('item.a'))).rejects.toMatchObject({ code: 'ESTALE' });
    expect(recorded(unwrap(await session.save())).live['item.a']).not.toHaveProperty('unconfirmed');
    await session.close();
  });

  it('takes back the intent, keeps what was answered, and is healed by a save', async () => {
    const { store, path } = await place();
    const session = await open(store);
    await session.record(intent('item.a'));
    await rm(`${path}.journal`);
    await expect(session.record(answered('item.a'))).rejects.toMatchObject({
      name: 'JournalError',
      code: 'ESTALE',
    });
    await expect(session.record(intent('item.b'))).rejects.toThrow('removed or replaced');
    expect(session.entries.all('pending')).toEqual([]);
    const saved = unwrap(await session.save());
    expect(Object.keys(recorded(saved).live)).toEqual(['item.a']);
    await session.record(intent('item.b'));
    await crash(store, session);
    expect(recorded(unwrap(await readRecorded(store))?.state).pending).toHaveLength(1);
  });
});
