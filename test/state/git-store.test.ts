import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { StateRepositories } from '../../src/state/git/remote.ts';
import { GitStore } from '../../src/state/git/store.ts';
import { readRecorded } from '../../src/state/replay.ts';
import type { Result } from '../../src/text/diagnostic.ts';
import { serveGit } from '../rig/git-server.ts';
import { rendered } from '../rig/in-words.ts';
import { answered, intent, manyAnswers, owner } from './events.ts';
import { git, gitPlace, hook, identity, remoteAndCheckout } from './git-place.ts';
import { crash, liveIn, openedSession, rulesOf, taken, unlocked, unwrap } from './results.ts';
import { storeSuite } from './store-suite.ts';

describe('a state on a git branch', () => storeSuite(gitPlace));

const wordsOf = (result: Result<unknown>) =>
  result.ok ? '' : rendered(result.diagnostics).replaceAll(/\s+/g, ' ');

/** Of the branch, newest first. */
const subjects = (remote: string) => git(remote, 'log', '--format=%s', 'trove-state').split('\n');
const filesOf = (remote: string) => git(remote, 'ls-tree', '-r', '--name-only', 'trove-state').split('\n');

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

it('a branch behind smart HTTP is reached with the token of the checkout', async () => {
  const { folder, remote, checkout, openIn } = await gitPlace();
  await using server = await serveGit(folder, 'job-token');
  git(remote, 'config', 'http.receivepack', 'true');
  git(checkout, 'remote', 'set-url', 'origin', `${server.url}/remote.git`);
  expect(rulesOf(await openIn().read())).toEqual(['state-branch']);
  // As the checkout of a pipeline has it.
  const header = `AUTHORIZATION: Basic ${Buffer.from('x-access-token:job-token').toString('base64')}`;
  git(checkout, 'config', '--local', `http.${server.url}/.extraheader`, header);
  const session = await openedSession(openIn());
  await session.record(intent('item.a'));
  await session.record(answered('item.a'));
  unwrap(await session.save());
  unwrap(await session.close());
  expect(server.requests).toContain('POST /remote.git/git-receive-pack');
  expect(liveIn(unwrap(await openIn().read()))).toEqual(['item.a']);
  expect(subjects(remote)).toEqual(['staging: unlocked', 'staging: serial 1']);
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

it('a repository with SHA-256 keeps a state, too', async () => {
  const { folder, openIn } = await gitPlace();
  git(folder, 'init', '--quiet', '--bare', '--object-format=sha256', 'other.git');
  git(folder, 'init', '--quiet', '--object-format=sha256', 'other');
  git(join(folder, 'other'), 'remote', 'add', 'origin', join(folder, 'other.git'));
  const session = await openedSession(openIn(join(folder, 'other')));
  await session.record(answered('item.a'));
  unwrap(await session.save());
  unwrap(await session.close());
  expect(liveIn(unwrap(await openIn(join(folder, 'other')).read()))).toEqual(['item.a']);
});

it('a git that prints nothing where it should print an ID deletes no branch', async () => {
  const { folder, remote, openIn, checkout } = await gitPlace();
  await openedSession(openIn());
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
  const silent = `#!/bin/sh\ncase "$*" in *fast-import*) cat > /dev/null; exit 0;; esac\nexec ${real} "$@"\n`;
  writeFileSync(join(bin, 'git'), silent, { mode: 0o755 });
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  const repositories = new StateRepositories();
  const options = {
    file: 'b.json',
    path: 'b',
    remote: 'origin',
    branch: 'trove-state',
    catalogFolder: checkout,
  };
  const store = new GitStore({ ...options, repositories, env });
  expect(rulesOf(await store.lock.take(await owner()))).toEqual(['state-branch']);
  await repositories.remove();
  expect(filesOf(remote)).toEqual(['staging.json.lock']);
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

describe('the remote is that of the checkout', () => {
  /** A catalog folder in which a commit has put a repository with a hook that leaves a file. */
  async function withTrap(name: string) {
    const place = await gitPlace();
    const trap = join(place.checkout, name);
    git(place.folder, 'init', '--quiet', '--bare', trap);
    mkdirSync(join(trap, 'hooks'), { recursive: true });
    hook(trap, 'pre-receive', `touch ${place.folder}/pwned`);
    return { ...place, isTrapped: () => existsSync(join(place.folder, 'pwned')) };
  }

  it('with its name in another case it is none, not a folder of that name', async () => {
    const { checkout, openIn, isTrapped } = await withTrap('ORIGIN');
    const taken = await openIn(checkout, 'a.json', 'ORIGIN').lock.take(await owner());
    expect([wordsOf(taken), isTrapped()]).toEqual([expect.stringContaining('a remote named ORIGIN'), false]);
  });

  it('with a relative URL it is where git has it, from a folder below the top, too', async () => {
    const { checkout, remote, openIn, isTrapped } = await withTrap('catalog/remote.git');
    git(checkout, 'remote', 'set-url', 'origin', '../remote.git');
    const store = openIn(join(checkout, 'catalog'));
    await taken(store);
    expect([git(remote, 'branch', '--list', 'trove-state'), isTrapped()]).toEqual(['trove-state', false]);
  });

  it('with a URL for pushes it is read there, too', async () => {
    const { checkout, remote, folder, openIn } = await gitPlace();
    git(folder, 'init', '--quiet', '--bare', 'upstream.git');
    git(checkout, 'config', 'remote.origin.pushurl', remote);
    git(checkout, 'config', 'remote.origin.url', join(folder, 'upstream.git'));
    const session = await openedSession(openIn());
    await session.record(answered('item.a'));
    unwrap(await session.save());
    unwrap(await session.close());
    expect(filesOf(remote)).toEqual(['staging.json']);
  });

  it('with a setting that has no value, which means true', async () => {
    const { checkout, openIn } = await gitPlace();
    appendFileSync(join(checkout, '.git/config'), '[http]\n\tsslVerify\n[remote "origin"]\n\tproxy = x\n');
    const given = (await new StateRepositories().of({
      remote: 'origin',
      catalogFolder: checkout,
      env: {},
    })) as {
      env: NodeJS.ProcessEnv;
    };
    const values = Object.entries(given.env).filter(([, value]) => value === 'http.sslverify');
    expect(given.env[values[0]?.[0].replace('KEY', 'VALUE') ?? '']).toBe('true');
    expect(unwrap(await openIn().read())).toBeUndefined();
  });
});

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

describe('a problem is told in words', () => {
  it('for a branch that the server protects', async () => {
    const { remote, store } = await gitPlace();
    hook(remote, 'pre-receive', 'echo "error: GH006: Protected branch update failed" >&2; exit 1');
    const taken = await store.lock.take(await owner());
    expect(rulesOf(taken)).toEqual(['state-branch']);
    expect(wordsOf(taken)).toContain(
      'origin refused a push to branch trove-state: pre-receive hook declined; GH006',
    );
  });

  it('for a remote that is not there, a name that is none, and the default branch', async () => {
    const { checkout, openIn } = await gitPlace();
    expect(wordsOf(await openIn(checkout, 'a.json', 'upstream').read())).toContain('a remote named upstream');
    expect(wordsOf(await openIn(checkout, 'a.json', 'origin', 'main').read())).toContain(
      'the default branch',
    );
    git(checkout, 'remote', 'set-url', 'origin', 'https://user:secret-token@127.0.0.1:1/x.git');
    const unreachable = wordsOf(await openIn(checkout).read());
    expect(unreachable).toContain("can't be reached: fatal: unable to access");
    expect(unreachable).not.toContain('secret-token');
    for (const url of [
      'https://127.0.0.1:1/x.git?private_token=secret',
      'http://user:secret/tok@127.0.0.1:1/x.git',
    ]) {
      git(checkout, 'remote', 'set-url', 'origin', url);
      expect(wordsOf(await openIn().read())).toMatch(/^(?!.*(?:secret|tok@)).*can't be reached/);
    }
  });

  it('for a folder that is laid out like a repository, whose settings are never used', async () => {
    const { folder, openIn } = await gitPlace();
    const { remote } = await remoteAndCheckout();
    git(folder, 'clone', '--quiet', '--bare', remote, 'catalog');
    git(join(folder, 'catalog'), 'config', 'core.sshCommand', 'touch /tmp/never');
    expect(wordsOf(await openIn(join(folder, 'catalog')).read())).toContain('a remote named origin');
  });
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
