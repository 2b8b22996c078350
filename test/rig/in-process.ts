import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../src/api/client.ts';
import { apply } from '../../src/apply/apply.ts';
import type { ApplyReport } from '../../src/apply/model.ts';
import { loadCatalog } from '../../src/catalog/load.ts';
import { embeddedProfile, type Profile } from '../../src/contract/profile.ts';
import { bindAttributes } from '../../src/environment/bind-attributes.ts';
import { loadEnvironment } from '../../src/environment/load.ts';
import { clientIds } from '../../src/plan/client-id.ts';
import { makePlan, targetOf } from '../../src/plan/make-plan.ts';
import type { Plan } from '../../src/plan/model.ts';
import { startService } from '../../src/service/server.ts';
import { currentOwner } from '../../src/state/current-owner.ts';
import { createFileStore } from '../../src/state/file/store.ts';
import type { RecordedRequest, State } from '../../src/state/model.ts';
import { newState } from '../../src/state/new-state.ts';
import { openSession } from '../../src/state/session.ts';
import type { Result } from '../../src/text/diagnostic.ts';

/** The whole house without the process around it: real files, a real service, real sockets, many runs a second. */
export interface House extends AsyncDisposable {
  /** Every write that was sent, in order. */
  readonly sent: readonly RecordedRequest[];
  /** One apply of this catalog text; `before` is what was planned, `after` what would be planned next. */
  apply(text: string): Promise<Applied>;
}

export interface Applied {
  readonly before: Plan;
  readonly after: Plan;
  readonly report: ApplyReport;
  readonly state: State;
}

export async function createHouse(profile: Profile = embeddedProfile): Promise<House> {
  const folder = await mkdtemp(join(tmpdir(), 'trove-house-'));
  const credentials = { username: 'trove', password: 'secret' };
  const world = {
    teams: [{ id: 'team_local', name: 'Local' }],
    users: [{ id: 'user_local', teamId: 'team_local', ...credentials }],
  };
  const service = await startService({ database: ':memory:', world });
  const client = createClient({ baseUrl: service.url, credentials, userAgent: 'trove-test' });
  const store = createFileStore({ path: join(folder, 'state.json') });
  const sent: RecordedRequest[] = [];
  const write: typeof client.write = (request: RecordedRequest, ...rest: [never, never]) => {
    sent.push(request);
    return client.write(request, ...rest);
  };
  return {
    sent,
    async apply(text) {
      await writeFile(join(folder, 'game.yaml'), text);
      const catalog = unwrap(await loadCatalog(folder, { cwd: folder }));
      const local = unwrap(await loadEnvironment('local', { catalogFolder: folder, cwd: folder }));
      const environment = unwrap(bindAttributes(catalog, { ...local, profile }));
      const owner = await currentOwner({
        id: randomUUID(),
        operation: 'test',
        since: new Date().toISOString(),
        version: '0',
      });
      const initial = newState({ lineage: randomUUID(), target: targetOf(environment) });
      const opened = await openSession(store, owner, { initial });
      if (opened.kind !== 'open') throw new Error(`the state can't be opened: ${opened.kind}`);
      const { session } = opened;
      const before = makePlan({ catalog, environment, state: session.state });
      const { honoured } = clientIds(environment.idNamespace, profile, session.state);
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
      return { before, report, state, after: makePlan({ catalog, environment, state }) };
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await service.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Error(result.diagnostics.map(({ message }) => message).join('\n'));
}
