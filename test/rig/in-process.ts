import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../src/api/client.ts';
import { apply } from '../../src/apply/apply.ts';
import type { ApplyReport } from '../../src/apply/model.ts';
import { loadCatalog } from '../../src/catalog/load.ts';
import type { Address } from '../../src/catalog/model.ts';
import { embeddedProfile, type Profile } from '../../src/contract/profile.ts';
import { joinInputs } from '../../src/environment/join-inputs.ts';
import { loadEnvironment } from '../../src/environment/load.ts';
import { clientIds } from '../../src/plan/client-id.ts';
import { makePlan, targetOf } from '../../src/plan/make-plan.ts';
import type { Plan } from '../../src/plan/model.ts';
import type { PlanOptions } from '../../src/plan/options.ts';
import type { ProbeReport } from '../../src/probe/model.ts';
import { probe } from '../../src/probe/probe.ts';
import type { Dialect } from '../../src/service/dialect.ts';
import { startService } from '../../src/service/server.ts';
import type { LedgerEntry } from '../../src/service/store/store.ts';
import { FileStore } from '../../src/state/file/store.ts';
import { currentOwner } from '../../src/state/lock-owner.ts';
import type { RecordedRequest, State } from '../../src/state/model.ts';
import { newState } from '../../src/state/model.ts';
import { openSession, type Session } from '../../src/state/session.ts';
import { unwrap } from '../state/results.ts';

/** The whole house without the process around it: real files, a real service, real sockets, many runs a second. */
export interface House extends AsyncDisposable {
  /** Every write that was sent, in order. */
  readonly sent: readonly RecordedRequest[];
  /** Every record of the service. */
  ledger(): readonly LedgerEntry[];
  /** One apply of this catalog text; `before` is what was planned, `after` what would be planned next. */
  apply(text: string, planOptions?: Partial<PlanOptions>): Promise<Applied>;
  /** Records ids as a person names them. */
  import(ids: Readonly<Record<Address, string>>): Promise<void>;
  /** Lets go of what is recorded of an address. */
  forget(address: Address): Promise<void>;
  /** Ids are derived from another namespace from then on. */
  changeNamespace(idNamespace: string): void;
  /** What is relied on now. */
  profile(): Profile;
  /** One probe, all points again; what it finds is relied on from then on. */
  probe(): Promise<Probed>;
  /** As if the state had never been. */
  loseState(): Promise<void>;
}

export interface Probed {
  readonly report: ProbeReport;
  readonly state: State;
}

export interface HouseOptions {
  /** What is relied on until a probe says more. Default: all that is true of the default dialect. */
  readonly profile?: Profile;
  readonly dialect?: Partial<Dialect>;
  /** Draws what the dialect leaves to chance. */
  readonly seed?: number;
  /** Ids of attributes, which go by themselves. */
  readonly attributes?: readonly string[];
}

export interface Applied {
  readonly before: Plan;
  readonly after: Plan;
  readonly report: ApplyReport;
  readonly state: State;
}

export async function createHouse(options: HouseOptions = {}): Promise<House> {
  const { dialect = {}, seed = 0, attributes = [] } = options;
  let { profile = embeddedProfile } = options;
  let idNamespace: string | undefined;
  const folder = await mkdtemp(join(tmpdir(), 'trove-house-'));
  const credentials = { username: 'trove', password: 'secret' };
  const world = {
    teams: [{ id: 'team_local', name: 'Local' }],
    users: [{ id: 'user_local', teamId: 'team_local', ...credentials }],
  };
  const service = await startService({ database: ':memory:', world, dialect, seed });
  const client = createClient({ baseUrl: service.url, credentials, userAgent: 'trove-test' });
  const store = new FileStore({ path: join(folder, 'state.json') });
  const sent: RecordedRequest[] = [];
  const write: typeof client.write = (request: RecordedRequest, ...rest: [never, never]) => {
    sent.push(request);
    return client.write(request, ...rest);
  };
  const inputs = async (text: string) => {
    await writeFile(join(folder, 'game.yaml'), text);
    const catalog = unwrap(await loadCatalog(folder, { cwd: folder }));
    const options = { catalogFolder: folder, cwd: folder, variables: {} };
    return unwrap(joinInputs(catalog, await environmentOnly(), options));
  };
  const environmentOnly = async () => {
    const local = unwrap(await loadEnvironment('local', { catalogFolder: folder, cwd: folder }));
    const own = { profile, attributes: new Map(attributes.map((id) => [id, id])) };
    return { ...local, ...own, idNamespace: idNamespace ?? local.idNamespace };
  };
  const open = async (): Promise<Session> => {
    const since = new Date().toISOString();
    const owner = await currentOwner({ id: randomUUID(), operation: 'test', since, version: '0' });
    const { environment } = await inputs('');
    const initial = newState({ lineage: randomUUID(), target: targetOf(environment) });
    const opened = unwrap(await openSession(store, owner, { initial }));
    if (opened.kind !== 'open') throw new Error(`the state can't be opened: ${opened.kind}`);
    return opened.session;
  };
  return {
    sent,
    ledger: () => service.ledger(),
    profile: () => profile,
    loseState: () => rm(join(folder, 'state.json'), { force: true }),
    async import(ids) {
      const session = await open();
      for (const [address, id] of Object.entries(ids) as [Address, string][])
        await session.record({ type: 'imported', address, id, at: new Date().toISOString() });
      unwrap(await session.save());
      await session.close();
    },
    async forget(address) {
      const session = await open();
      await session.record({ type: 'forgotten', address, at: new Date().toISOString() });
      unwrap(await session.save());
      await session.close();
    },
    changeNamespace(other) {
      idNamespace = other;
    },
    async probe() {
      const session = await open();
      const environment = await environmentOnly();
      const ports = { environment, service: { write }, recorder: session, now: () => new Date() };
      const report = await probe({
        ...ports,
        signal: new AbortController().signal,
        emit: () => {},
        again: true,
      });
      const state = unwrap(await session.save());
      await session.close();
      const found = report.points.flatMap((each) =>
        each.kind === 'found' ? [[each.point, each.value]] : [],
      );
      profile = { ...profile, ...Object.fromEntries(found) };
      return { report, state };
    },
    async apply(text, planOptions = {}) {
      const session = await open();
      const { catalog, environment } = await inputs(text);
      const before = makePlan({ catalog, environment, state: session.state, ...planOptions });
      const { honoured } = clientIds({ ...environment, profile }, session.state);
      const ports = {
        catalog,
        environment,
        service: { write },
        recorder: session,
        now: () => new Date(),
        parallel: 8,
      };
      const report = await apply(
        before,
        { ...ports, signal: new AbortController().signal, emit: () => {} },
        honoured,
      );
      const state = unwrap(await session.save());
      await session.close();
      return {
        before,
        report,
        state,
        after: makePlan({ catalog, environment, state, confirmNew: planOptions.confirmNew ?? [] }),
      };
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await service.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
