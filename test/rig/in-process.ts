import { createClient } from '../../src/api/client.ts';
import type { ApplyReport } from '../../src/apply/model.ts';
import type { Address } from '../../src/catalog/model.ts';
import { embeddedProfile, type Profile } from '../../src/contract/profile.ts';
import type { Plan } from '../../src/plan/model.ts';
import type { PlanOptions } from '../../src/plan/options.ts';
import type { ProbeReport } from '../../src/probe/model.ts';
import { probe } from '../../src/probe/probe.ts';
import type { Dialect } from '../../src/service/dialect.ts';
import { startService } from '../../src/service/server.ts';
import type { RecordedRequest, State } from '../../src/state/model.ts';
import { Desk, now, target } from './desk.ts';
import type { Write } from './memory-service.ts';

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

export type House = Awaited<ReturnType<typeof createHouse>>;

/** A desk with the real service behind a real client: every dialect, many runs a second. */
export async function createHouse(options: HouseOptions = {}) {
  const { dialect = {}, seed = 0, attributes = ['damage', 'speed'] } = options;
  let { profile = embeddedProfile } = options;
  const credentials = { username: 'trove', password: 'secret' };
  const { teamId } = target;
  const world = { teams: [{ id: teamId, name: 'T' }], users: [{ id: 'user_1', teamId, ...credentials }] };
  const service = await startService({ database: ':memory:', world, dialect, seed });
  const client = createClient({ baseUrl: service.url, credentials, userAgent: 'trove-test' });
  const sent: RecordedRequest[] = [];
  const write: Write = (request, ...rest) => {
    sent.push(request);
    return client.write(request, ...rest);
  };
  const ids = Object.fromEntries(attributes.map((id) => [id, id]));
  const desk = new Desk({ profile, attributes: ids, write });
  desk.parallel = 8;
  return {
    /** Every write that was sent, in order. */
    sent,
    /** Every record of the service. */
    ledger: () => service.ledger(),
    /** What is relied on now. */
    profile: () => profile,
    /** As if the state had never been. */
    async loseState() {
      desk.state = undefined;
    },
    /** Records ids as a person names them. */
    async import(named: Readonly<Record<Address, string>>) {
      for (const [address, id] of Object.entries(named) as [Address, string][])
        desk.record({ type: 'imported', address, id, at: now });
    },
    /** Lets go of what is recorded of an address. */
    forget: async (address: Address) => desk.record({ type: 'forgotten', address, at: now }),
    /** Ids are derived from another namespace from then on. */
    changeNamespace(idNamespace: string) {
      desk.options = { ...desk.options, idNamespace };
    },
    /** One probe, all points again; what it finds is relied on from then on. */
    async probe(): Promise<Probed> {
      const { environment } = await desk.inputs('');
      const known = { ...environment, attributes: new Map(Object.entries(ids)) };
      const report = await desk.session((ports) => probe({ ...ports, environment: known, again: true }));
      for (const each of report.points)
        if (each.kind === 'found') profile = { ...profile, [each.point]: each.value };
      desk.options = { ...desk.options, profile };
      return { report, state: desk.known };
    },
    /** One apply of this catalog text; `before` is what was planned, `after` what would be planned next. */
    async apply(text: string, planOptions: Partial<PlanOptions> = {}): Promise<Applied> {
      const { plan: before, report } = await desk.apply(text, {}, planOptions);
      const { confirmNew = [] } = planOptions;
      return { before, report, state: desk.known, after: await desk.plan(text, {}, { confirmNew }) };
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await service.close();
    },
  };
}
