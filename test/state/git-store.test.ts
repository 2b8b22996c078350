import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { StateRepositories } from '../../src/state/git/remote.ts';
import { readRecorded } from '../../src/state/replay.ts';
import { answered, intent, manyAnswers, owner } from './events.ts';
import { filesOf, git, gitPlace, hook, identity, subjects } from './git-place.ts';
import { crash, liveIn, openedSession, rulesOf, unlocked, unwrap } from './results.ts';
import { storeSuite } from './store-suite.ts';

describe('a state on a git branch', () => storeSuite(gitPlace));

describe('the branch', () => {
  it('contains one commit for each saved state, readable by people, and no catalog', async () => {
    const { remote, store } = await gitPlace();
    for (const address of ['item.a', 'item.b'] as const) {
      const session = await openedSession(store);
      await session.record(intent(address));
      await session.record(answered(address));
      expect(filesOf(remote)).toContain('staging.json.lock');
      unwrap(await session.save());
      unwrap(await session.close());
    }
    expect(subjects(remote)).toEqual(['staging: unlocked', 'staging: serial 2', 'staging: serial 1']);
    expect(git(remote, 'log', '--format=%b', '--skip=1', '--max-count=1', 'trove-state')).toMatch(
      /^Run-by: .+@.+\nCommand: trove apply\nTrove: 0\.0\.0-test\nCatalog: [0-9a-f]{40}$/,
    );
    expect(filesOf(remote)).toEqual(['staging.json']);
  });

  it('has an intent before its request can be sent, for a runner that never saw the first one', async () => {
    const { store, openIn, clone } = await gitPlace();
    const session = await openedSession(store);
    await session.record(intent('item.a'));
    await crash(store, session);
    const shallow = clone('shallow', '--depth=1');
    const next = await openedSession(openIn(shallow));
    expect([next.recovered, next.entries.all('pending').map(({ address }) => address)]).toEqual([
      1,
      ['item.a'],
    ]);
    await next.record(answered('item.a'));
    unwrap(await next.save());
    unwrap(await next.close());
    expect(liveIn(unwrap(await store.read()))).toEqual(['item.a']);
  });

  it('is shared by environments whose runs change it at the same time', async () => {
    const { openIn, clone, remote } = await gitPlace();
    const names = ['a', 'b', 'c', 'd'];
    const runs = names.map(async (name) => {
      const session = await openedSession(openIn(clone(name), `${name}.json`));
      await Promise.all(manyAnswers(6).map((event) => session.record(event)));
      unwrap(await session.save());
      unwrap(await session.close());
    });
    await Promise.all(runs);
    expect(filesOf(remote)).toEqual(names.map((name) => `${name}.json`));
    for (const name of names) {
      const read = unwrap(await openIn(join(remote, '..', name), `${name}.json`).read());
      expect(liveIn(read)).toHaveLength(6);
    }
  });

  it('gives the lock to one of many', async () => {
    const { openIn, clone } = await gitPlace();
    const clones = Array.from({ length: 8 }, (_, index) => clone(`runner-${index}`));
    for (let round = 0; round < 3; round++) {
      const stores = clones.map((each) => openIn(each));
      const outcomes = await Promise.all(
        stores.map(async (each) => unwrap(await each.lock.take(await owner()))),
      );
      expect(outcomes.filter(({ kind }) => kind === 'acquired')).toHaveLength(1);
      for (const each of stores) unwrap(await each.lock.release());
    }
  });

  it('leaves the checkout as it is', async () => {
    const { store, checkout } = await gitPlace();
    const look = () => [
      git(checkout, 'for-each-ref'),
      git(checkout, 'status', '--porcelain', '--ignored'),
      git(checkout, 'count-objects'),
      readdirSync(join(checkout, '.git')),
      readFileSync(join(checkout, '.git/config'), 'utf8'),
    ];
    const before = look();
    const session = await openedSession(store);
    await session.record(answered('item.a'));
    unwrap(await session.save());
    unwrap(await session.close());
    expect(look()).toEqual(before);
  });
});

describe('a push whose response is lost', () => {
  /** The server ends at the third push, once, before or after it has changed the branch. */
  const losing = (when: string, marker: string) =>
    `n=$(cat ${marker} 2>/dev/null || echo 0); n=$((n + 1)); echo $n > ${marker}; test $n != 3 || kill -9 $PPID # ${when}`;

  it.each(['pre-receive', 'post-receive'])('at %s is looked up, and made once', async (when) => {
    const { remote, folder, store } = await gitPlace();
    hook(remote, when, losing(when, join(folder, 'count')));
    const session = await openedSession(store);
    await session.record(intent('item.a'));
    await session.record(answered('item.a'));
    unwrap(await session.save());
    unwrap(await session.close());
    const { state, events } = unwrap(await readRecorded(store)) ?? {};
    expect([liveIn(state), events]).toEqual([['item.a'], []]);
    expect(Number(readFileSync(join(folder, 'count'), 'utf8'))).toBeGreaterThan(3);
  });

  it('and that stays lost announces no request', async () => {
    const { remote, store } = await gitPlace();
    const session = await openedSession(store);
    hook(remote, 'pre-receive', 'kill -9 $PPID');
    await expect(session.record(intent('item.a'))).rejects.toThrow('state-branch');
    hook(remote, 'pre-receive', '');
    await session.close();
    expect(unwrap(await readRecorded(store))?.events ?? []).toEqual([]);
  });
});

it('a submodule in the place of a journal is no empty journal', async () => {
  const { checkout, store, remote } = await gitPlace();
  const session = await openedSession(store);
  await session.record(intent('item.a'));
  const tip = git(remote, 'rev-parse', 'trove-state');
  git(checkout, 'fetch', '--quiet', 'origin', 'trove-state');
  git(checkout, 'checkout', '--quiet', 'FETCH_HEAD');
  git(checkout, 'update-index', '--add', '--cacheinfo', `160000,${tip},staging.json.journal/0-000001`);
  git(checkout, ...identity, 'commit', '--quiet', '--message=odd');
  git(checkout, 'push', '--quiet', 'origin', 'HEAD:trove-state');
  expect(rulesOf(await readRecorded(store))).toEqual(['state-branch']);
  await session.close();
});

it.each(['staging.json', 'staging.json.lock', 'staging.json.journal/0-000000'])(
  'a file %s that is larger than any state is not read',
  async (path) => {
    const { checkout, store } = await gitPlace();
    const file = join(checkout, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, Buffer.alloc(260 * 1024 ** 2, '\n'));
    git(checkout, 'add', '--all');
    git(checkout, ...identity, 'commit', '--quiet', '--message=huge');
    git(checkout, 'push', '--quiet', 'origin', 'HEAD:trove-state');
    const read = path.endsWith('.lock') ? await store.lock.inspect() : await readRecorded(store);
    expect(read).toMatchObject({
      ok: false,
      diagnostics: [{ rule: 'state-branch', values: { why: 'too-large' } }],
    });
  },
);

it('environments of one command on one branch, and two commands in one checkout, all get through', async () => {
  const { checkout, openIn, remote } = await gitPlace();
  const shared = new StateRepositories();
  const names = ['a', 'b', 'c', 'd', 'e'];
  const stores = names.map((name, at) =>
    openIn(checkout, `${name}.json`, 'origin', 'trove-state', at < 3 ? shared : undefined),
  );
  const runs = stores.map(async (store) => {
    const session = await openedSession(store);
    await session.record(answered('item.a'));
    unwrap(await session.save());
    unwrap(await session.close());
  });
  await Promise.all(runs);
  await shared.remove();
  expect(filesOf(remote)).toEqual(names.map((name) => `${name}.json`));
});

it('a run whose lock was removed appends, saves and removes nothing any more', async () => {
  const { store, open } = await gitPlace();
  const session = await openedSession(store);
  await session.record(intent('item.a'));
  await unlocked(open());
  const next = await openedSession(open());
  await expect(session.record(intent('item.b'))).rejects.toMatchObject({ code: 'ESTALE' });
  expect(rulesOf(await session.verify())).toEqual(['state-lock-lost']);
  expect(rulesOf(await session.save())).toEqual(['state-lock-lost']);
  await session.close();
  expect(next.entries.all('pending').map(({ address }) => address)).toEqual(['item.a']);
  unwrap(await next.verify());
  await next.close();
});
