import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, reached } from './ports.ts';

export const hasRadosgw = ['ceph-mon', 'ceph-osd', 'radosgw'].every(
  (program) => spawnSync(program, ['--version']).status === 0,
);

/** The S3 of Ceph, in front of a cluster of one whose data are in memory. Its user's key is `key`, `secret`. */
export async function startRadosgw() {
  const folder = mkdtempSync(join(tmpdir(), 'trove-ceph-'));
  const [monitor, port] = [await freePort(), await freePort()];
  const [cluster, disk] = [randomUUID(), randomUUID()];
  for (const each of ['mon', 'osd']) mkdirSync(join(folder, each));
  writeFileSync(join(folder, 'ceph.conf'), configOf({ folder, cluster, monitor, port }));
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'], timeout: 60_000 });
  const started = [] as ReturnType<typeof spawn>[];
  const start = (program: string, ...args: readonly string[]) =>
    void started.push(spawn(program, ['-c', 'ceph.conf', '-f', ...args], { cwd: folder, stdio: 'ignore' }));
  const stop = () => {
    for (const child of started) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const all = ['--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *'];
    run('ceph-authtool', '--create-keyring', 'keyring', '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *');
    for (const name of ['client.admin', 'client.rgw', 'osd.0'])
      run('ceph-authtool', 'keyring', '--gen-key', '-n', name, ...all);
    run('monmaptool', '--create', '--addv', 'a', `[v1:127.0.0.1:${monitor}]`, '--fsid', cluster, 'monmap');
    run('ceph-mon', '-c', 'ceph.conf', '--mkfs', '-i', 'a', '--monmap', 'monmap', '--keyring', 'keyring');
    start('ceph-mon', '-i', 'a');
    await reached(monitor);
    run('ceph', '-c', 'ceph.conf', 'osd', 'new', disk, '0');
    run('ceph-osd', '-c', 'ceph.conf', '-i', '0', '--mkfs', '--osd-uuid', disk);
    start('ceph-osd', '-i', '0');
    start('radosgw', '-n', 'client.rgw');
    await reached(port);
    const keys = ['--access-key=key', '--secret-key=secret'];
    run('radosgw-admin', '-c', 'ceph.conf', 'user', 'create', '--uid=u', '--display-name=u', ...keys);
  } catch (cause) {
    stop();
    throw cause;
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      stop();
    },
  };
}

interface Cluster {
  readonly folder: string;
  readonly cluster: string;
  readonly monitor: number;
  readonly port: number;
}

function configOf({ folder, cluster, monitor, port }: Cluster): string {
  const types = ['cluster', 'service', 'client'].map((type) => `auth_${type}_required = cephx`);
  return `[global]
fsid = ${cluster}
mon_initial_members = a
mon_host = [v1:127.0.0.1:${monitor}]
ms_bind_msgr2 = false
public_network = 127.0.0.0/8
cluster_network = 127.0.0.0/8
${types.join('\n')}
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 1
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
osd_objectstore = memstore
memstore_device_bytes = 536870912
run_dir = ${folder}
admin_socket = ${folder}/$name.asok
log_file = ${folder}/$name.log
keyring = ${folder}/keyring
mon_data = ${folder}/mon
osd_data = ${folder}/osd
[client.rgw]
rgw_frontends = beast endpoint=127.0.0.1:${port}
rgw_thread_pool_size = 16
`;
}
