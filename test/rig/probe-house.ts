import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../src/api/client.ts';
import type { ProfilePoint } from '../../src/contract/profile.ts';
import { unknownProfile } from '../../src/contract/profile.ts';
import { loadEnvironment } from '../../src/environment/load.ts';
import type { Environment } from '../../src/environment/model.ts';
import { targetOf } from '../../src/plan/make-plan.ts';
import type { ProbeReport } from '../../src/probe/model.ts';
import { probe } from '../../src/probe/probe.ts';
import type { Dialect } from '../../src/service/dialect.ts';
import { startService } from '../../src/service/server.ts';
import { currentOwner } from '../../src/state/current-owner.ts';
import { createFileStore } from '../../src/state/file/store.ts';
import type { RecordedRequest, State } from '../../src/state/model.ts';
import { newState } from '../../src/state/new-state.ts';
import { openSession } from '../../src/state/session.ts';

export interface Probed {
  readonly report: ProbeReport;
  readonly state: State;
  /** Every write that was sent, in order. */
  readonly sent: readonly RecordedRequest[];
  /** What the service says of every record: how often it was created. */
  readonly ledger: readonly { readonly id: string; readonly createdTimes: number }[];
}

/** The value that a report tells for each point, or the kind of its result. */
export function toldBy({ points }: ProbeReport): Readonly<Record<ProfilePoint, string>> {
  const told = points.map((result) => [result.point, 'value' in result ? result.value : result.kind]);
  return Object.fromEntries(told) as Record<ProfilePoint, string>;
}

/** `times` probes of one real service, one after the other, each on the state that the one before has saved. */
export async function probeDialect(
  dialect: Partial<Dialect>,
  { attributes = ['attr_1', 'attr_2'], times = 1, seed = 0 } = {},
): Promise<readonly Probed[]> {
  const folder = await mkdtemp(join(tmpdir(), 'trove-probe-'));
  const credentials = { username: 'trove', password: 'secret' };
  const world = {
    teams: [{ id: 'team_local', name: 'Local' }],
    users: [{ id: 'user_local', teamId: 'team_local', ...credentials }],
  };
  const service = await startService({ database: ':memory:', world, dialect, seed });
  const client = createClient({ baseUrl: service.url, credentials, userAgent: 'trove-test' });
  const probed: Probed[] = [];
  try {
    const environment = await environmentOf(folder, attributes);
    for (let time = 0; time < times; time++) {
      const sent: RecordedRequest[] = [];
      const write: typeof client.write = (request, ...rest) => {
        sent.push(request);
        return client.write(request, ...rest);
      };
      const outcome = await probeOnce(environment, join(folder, 'state.json'), { write });
      probed.push({ ...outcome, sent, ledger: service.ledger() });
    }
    return probed;
  } finally {
    await client.close();
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function environmentOf(folder: string, attributes: readonly string[]): Promise<Environment> {
  const local = await loadEnvironment('local', { catalogFolder: folder, cwd: folder });
  if (!local.ok) throw new Error('There is always a local environment.');
  const named = new Map(attributes.map((id) => [id, id]));
  return { ...local.value, attributes: named, profile: unknownProfile };
}

async function probeOnce(
  environment: Environment,
  path: string,
  service: Parameters<typeof probe>[0]['service'],
): Promise<{ report: ProbeReport; state: State }> {
  const since = new Date().toISOString();
  const owner = await currentOwner({ id: randomUUID(), operation: 'probe', since, version: '0' });
  const initial = newState({ lineage: randomUUID(), target: targetOf(environment) });
  const opened = await openSession(createFileStore({ path }), owner, { initial });
  if (opened.kind !== 'open') throw new Error(`the state can't be opened: ${opened.kind}`);
  const { session } = opened;
  const signal = new AbortController().signal;
  const ports = { environment, service, recorder: session, now: () => new Date(), signal };
  const report = await probe({ ...ports, emit: () => {}, again: true });
  const saved = await session.save();
  await session.close();
  if (!saved.ok) throw new Error('the state could not be saved');
  return { report, state: saved.value };
}
