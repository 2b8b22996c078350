import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { GitBranch } from '../../src/state/git/branch.ts';
import { StateRepositories } from '../../src/state/git/remote.ts';
import { SharedStore } from '../../src/state/shared/store.ts';
import type { Result } from '../../src/text/diagnostic.ts';
import { serveGit } from '../rig/git-server.ts';
import { rendered } from '../rig/in-words.ts';
import { answered, intent, owner } from './events.ts';
import { filesOf, git, gitPlace, hook, remoteAndCheckout, subjects } from './git-place.ts';
import { liveIn, openedSession, rulesOf, taken, unwrap } from './results.ts';

const wordsOf = (result: Result<unknown>) =>
  result.ok ? '' : rendered(result.diagnostics).replaceAll(/\s+/g, ' ');

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
  const place = { remote: 'origin', branch: 'trove-state', catalogFolder: checkout };
  const engine = new GitBranch({ ...place, repositories, env }, 'b');
  const store = new SharedStore({ engine, file: 'b.json', path: 'b' });
  expect(rulesOf(await store.lock.take(await owner()))).toEqual(['state-branch']);
  await repositories.remove();
  expect(filesOf(remote)).toEqual(['staging.json.lock']);
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

  it.each(['extraheader', 'url'])(
    'for a server that repeats its credentials, in a setting of its %s',
    async (place) => {
      const { checkout, openIn } = await gitPlace();
      const echo = createServer(({ headers: { authorization = '' } }, response) => {
        const [user, token] = Buffer.from(authorization.slice(6), 'base64').toString().split(':');
        const isAsked = authorization === '';
        const head = isAsked ? { 'www-authenticate': 'Basic' } : { 'content-type': 'text/plain' };
        response.writeHead(isAsked ? 401 : 403, head).end(`denied: ${authorization} ${user} ${token}\n`);
      });
      await new Promise<void>((ready) => echo.listen(0, '127.0.0.1', ready));
      onTestFinished(() => void echo.close());
      const url = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
      const header = `AUTHORIZATION: basic ${Buffer.from('x-access-token:ghp_job-token').toString('base64')}`;
      const credentials = place === 'url' ? url.replace('//', '//some-user:ghp_job-token@') : url;
      git(checkout, 'remote', 'set-url', 'origin', `${credentials}/x.git`);
      if (place === 'extraheader') git(checkout, 'config', `http.${url}/.extraheader`, header);
      const said = wordsOf(await openIn().read());
      expect(said).toContain("can't be reached: remote: denied: ");
      expect(said).not.toMatch(/ghp_|Z2hwX2|OmdocF|pnaHBf/);
    },
  );

  it('for a machine without room for temporary files', async () => {
    const { openIn } = await gitPlace();
    vi.stubEnv('TMPDIR', '/nonexistent');
    const read = await openIn().read();
    vi.unstubAllEnvs();
    expect(wordsOf(read)).toMatch(/git failed on this machine, with branch trove-state: ENOENT/);
  });

  it('for a folder that is laid out like a repository, whose settings are never used', async () => {
    const { folder, openIn } = await gitPlace();
    const { remote } = await remoteAndCheckout();
    git(folder, 'clone', '--quiet', '--bare', remote, 'catalog');
    git(join(folder, 'catalog'), 'config', 'core.sshCommand', 'touch /tmp/never');
    expect(wordsOf(await openIn(join(folder, 'catalog')).read())).toContain('a remote named origin');
  });
});
