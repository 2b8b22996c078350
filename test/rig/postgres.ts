import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { appendFile, chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, reached } from './ports.ts';

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

/** A real server on this machine, new and empty. It refuses to run as root. */
export async function startPostgres() {
  const folder = await mkdtemp(join(tmpdir(), 'trove-postgres-'));
  const data = join(folder, 'data');
  const user = await ownUser(folder);
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
    /** From now on it takes encrypted connections, too. Gives the file of the certificate, which is its own authority. */
    async encrypt(): Promise<string> {
      const [certificate, key] = [join(data, 'server.crt'), join(data, 'server.key')];
      const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
      execFileSync(
        'openssl',
        ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...names, '-keyout', key, '-out', certificate],
        { stdio: 'ignore' },
      );
      await chmod(key, 0o600);
      if (user) await chown(key, user.uid, user.gid);
      await appendFile(join(data, 'postgresql.conf'), 'ssl = on\n');
      run('pg_ctl', '-D', data, 'reload');
      return certificate;
    },
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

const POOLER = '/usr/sbin/pgbouncer';
export const hasPooler = hasPostgres && existsSync(POOLER);

/** A pooler before a server, which gives each transaction whatever connection is free. It refuses to run as root, too. */
export async function startPooler(server: string) {
  const folder = await mkdtemp(join(tmpdir(), 'trove-pooler-'));
  const port = await freePort();
  const { hostname, port: behind } = new URL(server);
  const settings = join(folder, 'pgbouncer.ini');
  await writeFile(
    settings,
    `[databases]\npostgres = host=${hostname} port=${behind} user=owner\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\n` +
      'unix_socket_dir =\nauth_type = any\npool_mode = transaction\ndefault_pool_size = 2\n',
  );
  const user = await ownUser(folder);
  const child = spawn(POOLER, [settings], { ...user, stdio: 'ignore' });
  await reached(port);
  return {
    url: `postgresql://owner@127.0.0.1:${port}/postgres`,
    async [Symbol.asyncDispose]() {
      child.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Whom a server that refuses root can run as, and whose the folder then is. */
async function ownUser(folder: string) {
  await chmod(folder, 0o755);
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const [uid, gid] = [idOf('-u'), idOf('-g')];
  await chown(folder, uid, gid);
  return { uid, gid };
}
