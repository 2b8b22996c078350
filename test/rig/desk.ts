import { apply } from '../../src/apply/apply.ts';
import type { ApplyEvent, ApplyReport, Recorder, WriterPorts } from '../../src/apply/model.ts';
import type { Address, Catalog } from '../../src/catalog/model.ts';
import { type Profile, unknownProfile } from '../../src/contract/profile.ts';
import { applyDefaults } from '../../src/environment/defaults.ts';
import { joinInputs } from '../../src/environment/join-inputs.ts';
import type { Environment } from '../../src/environment/model.ts';
import { clientIds } from '../../src/plan/client-id.ts';
import { makePlan } from '../../src/plan/make-plan.ts';
import type { Change, Plan } from '../../src/plan/model.ts';
import type { PlanOptions } from '../../src/plan/options.ts';
import { type ExplainedPlan, explainPlan } from '../../src/render/messages/explain-plan.ts';
import { seenText } from '../../src/render/messages/seen-text.ts';
import { StateDraft } from '../../src/state/draft.ts';
import type { StateEvent } from '../../src/state/event.ts';
import { formatState, parseState } from '../../src/state/format.ts';
import { newState, type State } from '../../src/state/model.ts';
import { error, failure, success } from '../../src/text/diagnostic.ts';
import { catalogOf } from '../catalog/folder.ts';
import { unwrap } from '../state/results.ts';
import { MemoryService, type Write } from './memory-service.ts';
import { recorded } from './recorded.ts';

export const target = { baseUrl: 'https://game.example/api', teamId: 'team_7' };
export const namespace = '6f1c1c0e-5c1e-4c1a-9b1e-0d9f3c2b7a11';
export const now = '2026-03-02T08:00:00.000Z';

export interface DeskOptions {
  readonly profile?: Partial<Profile>;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly idNamespace?: string;
  /** Through which it writes. Default: the service in memory. */
  readonly write?: Write;
}

export interface Applied {
  readonly plan: ExplainedPlan;
  readonly report: ApplyReport;
  readonly events: readonly ApplyEvent[];
}

/**
 * Catalog, plan, apply and state in memory: the real ones, with a service behind the port that can be told what to do,
 * or (in-process.ts) the real one.
 */
export class Desk {
  readonly service = new MemoryService();
  readonly stop = new AbortController();
  /** Called before an event is recorded; a journal that can't be written throws here. */
  beforeRecord: (event: StateEvent) => unknown = () => {};
  /** The state is no longer kept. */
  isLost = false;
  parallel = 4;
  /** Undefined: nothing was ever recorded. */
  state: State | undefined;
  options: DeskOptions;

  constructor(options: DeskOptions = {}) {
    this.options = options;
  }

  /** A desk at which these catalogs were applied, one after the other. */
  static async applied(texts: string | readonly string[], options: DeskOptions = {}): Promise<Desk> {
    const desk = new Desk(options);
    for (const text of [texts].flat()) await desk.apply(text, {}, { confirmNew: 'all' });
    desk.service.received.length = 0;
    return desk;
  }

  get recorded(): ReturnType<typeof recorded> {
    return recorded(this.state);
  }

  /** The id of what is recorded; throws where it is not. */
  idOf(address: Address): string {
    const { [address]: record } = this.recorded.live;
    if (record === undefined) throw new Error(`${address} is not recorded`);
    return record.id;
  }

  /** `action address` of every change that is planned, in order. */
  async actions(...args: Parameters<Desk['plan']>): Promise<readonly string[]> {
    return actionsOf(await this.plan(...args));
  }

  /** The one change of an address that is planned. */
  async change(
    address: string,
    ...args: Parameters<Desk['plan']>
  ): Promise<ExplainedPlan['changes'][number]> {
    return changeOf(await this.plan(...args), address);
  }

  async inputs(text: string, profile: Partial<Profile> = {}) {
    const catalog = await catalogFrom(text);
    return { catalog, environment: environmentFor(catalog, this.options, profile) };
  }

  async plan(
    text: string,
    profile: Partial<Profile> = {},
    planOptions: Partial<PlanOptions> = {},
  ): Promise<ExplainedPlan> {
    const plan = makePlan({ ...(await this.inputs(text, profile)), state: this.state, ...planOptions });
    return explainPlan(plan, ' -e staging');
  }

  /** Plans and applies; `state` is as it is recorded afterwards. */
  async apply(
    text: string,
    profile: Partial<Profile> = {},
    planOptions: Partial<PlanOptions> = {},
  ): Promise<Applied> {
    const { catalog, environment } = await this.inputs(text, profile);
    const plan = makePlan({ catalog, environment, state: this.state, ...planOptions });
    const { honoured } = clientIds(environment, this.known);
    const events: ApplyEvent[] = [];
    const emit = (event: ApplyEvent) => void events.push(event);
    const report = await this.session((ports) =>
      apply(plan, { ...ports, catalog, environment, emit, parallel: this.parallel }, honoured),
    );
    return { plan: explainPlan(plan, ' -e staging'), report, events };
  }

  /** What is recorded, or the state that a first run begins with. */
  get known(): State {
    return this.state ?? newState({ lineage: 'a0000000-0000-4000-8000-000000000001', target });
  }

  /** A run that records; the state after it is read as a file of it would be. */
  async session<Report>(run: (ports: SessionPorts) => Promise<Report>): Promise<Report> {
    const { serial } = this.known;
    const builder = new StateDraft(this.known);
    const report = await run({
      service: { write: this.options.write ?? this.service.write },
      recorder: {
        ...recorderOf(builder, (event) => this.beforeRecord(event)),
        verify: async () => (this.isLost ? failure(error('state-lock-lost', {})) : success(undefined)),
      },
      now: () => new Date(now),
      // Of each run its own: what listens to it goes with the run.
      signal: AbortSignal.any([this.stop.signal]),
      seenText,
      emit: () => {},
    });
    const saved = formatState({ ...builder.snapshot(), serial: serial + 1 });
    this.state = unwrap(parseState(saved, 'state.json'));
    return report;
  }

  /** The state after events that a run before this one recorded. */
  record(...events: readonly StateEvent[]): void {
    const builder = new StateDraft(this.known);
    for (const event of events) builder.apply(event);
    this.state = builder.snapshot();
  }
}

type SessionPorts = Omit<WriterPorts, 'environment'> & { readonly emit: () => void };

export function recorderOf(builder: StateDraft, before: (event: StateEvent) => unknown = () => {}): Recorder {
  return {
    entries: builder.entries,
    current: () => builder.snapshot(),
    async record(event) {
      await before(event);
      builder.apply(event);
    },
    verify: async () => success(undefined),
  };
}

export async function catalogFrom(text: string): Promise<Catalog> {
  return unwrap(await catalogOf({ 'catalog/game.yaml': text }));
}

export function environmentFor(
  catalog: Catalog,
  {
    profile,
    attributes = { damage: 'attr_01', speed: 'attr_02' },
    idNamespace = namespace,
  }: DeskOptions = {},
  more: Partial<Profile> = {},
): Environment {
  const file = {
    baseUrl: target.baseUrl,
    teamId: target.teamId,
    idNamespace,
    attributes,
    profile: { ...unknownProfile, ...profile, ...more },
  };
  const origin = { name: 'staging', folder: '/catalog', digest: 'sha256:0' };
  return unwrap(joinInputs(catalog, applyDefaults(file, origin), { variables: {} })).environment;
}

/** The one change of an address; throws where there is none or several. */
export function changeOf<C extends Change>(
  { changes }: { readonly changes: readonly C[] },
  address: string,
): C {
  const found = changes.filter((change) => change.address === address);
  const [change] = found;
  if (change === undefined || found.length > 1) throw new Error(`${address} has ${found.length} changes`);
  return change;
}

/** `action address` of every change, in order. */
export function actionsOf({ changes }: Plan): readonly string[] {
  return changes.map(({ action, address }) => `${action} ${address}`);
}
