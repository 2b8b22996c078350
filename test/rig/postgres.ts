import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Debian has the server's programs of each version in a folder of their own. */
const DEBIAN = '/usr/lib/postgresql';
const versions = existsSync(DEBIAN)
  ? readdirSync(DEBIAN).sort((one, other) => Number(other) - Number(one))
  : [];
const places = [
  ...versions.map((version) => join(DEBIAN, version, 'bin')),
  ...(process.env.PATH?.split(':') ?? []),
];
const bin = places.find((folder) => existsSync(join(folder, 'initdb')));

export const hasPostgres = bin !== undefined;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

/** A real server on this machine, new and empty. It refuses to run as root. */
export async function startPostgres() {
  const folder = await mkdtemp(join(tmpdir(), 'trove-postgres-'));
  const data = join(folder, 'data');
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined;
  if (user) await chown(folder, user.uid, user.gid);
  await chmod(folder, 0o755);
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(join(bin ?? '', program), args, {
      ...user,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  run('initdb', '-D', data, '-U', 'owner', '-A', 'trust', '--no-locale', '-E', 'UTF8');
  const port = await freePort();
  const start = () =>
    run(
      'pg_ctl',
      '-D',
      data,
      '-w',
      '-l',
      `${data}/log`,
      '-o',
      `-p ${port} -c unix_socket_directories=''`,
      'start',
    );
  const stop = () => run('pg_ctl', '-D', data, '-w', '-m', 'immediate', 'stop');
  start();
  return {
    url: `postgresql://owner@127.0.0.1:${port}/postgres`,
    start,
    /** As if it was killed. */
    stop,
    async [Symbol.asyncDispose]() {
      try {
        stop();
      } catch {
        // It is down.
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
