import type { ItemService } from '../../api/item-service.ts';
import { apply } from '../../apply/apply.ts';
import type { ApplyEvent, ApplyReport } from '../../apply/model.ts';
import type { Inputs } from '../../environment/join-inputs.ts';
import { clientIds } from '../../plan/client-id.ts';
import type { Plan } from '../../plan/model.ts';
import { progressOn } from '../../render/progress.ts';
import type { State } from '../../state/model.ts';
import { isUntouched } from '../../state/new-state.ts';
import type { Session } from '../../state/session.ts';
import { type Result, success } from '../../text/diagnostic.ts';
import { checkSpaces } from '../connecting/check-spaces.ts';
import { connect } from '../connecting/connect.ts';
import type { CommandContext } from '../invocation/context.ts';
import { catalogOrigin } from './catalog-origin.ts';

export interface CarriedOut {
  readonly report: ApplyReport;
  /** The state as it was saved. Where it could not be, the report still has every id. */
  readonly saved: Result<State>;
}

interface CarryOutOptions {
  readonly parallel: number;
  readonly passwordStdin?: boolean;
  readonly newEnvironment?: boolean;
  readonly event: (event: ApplyEvent) => void;
}

const unasked: Pick<ItemService, 'write'> = {
  write() {
    throw new Error('A plan without requests sent one.');
  },
};

/** Connects where something is to be sent, applies the plan and saves the state, whatever became of the plan. */
export async function carryOut(
  context: CommandContext,
  inputs: Inputs,
  plan: Plan,
  session: Session,
  options: CarryOutOptions,
): Promise<Result<CarriedOut>> {
  const sends = plan.changes.some(({ requests }) => requests.length > 0);
  const connected = sends
    ? await connect(
        inputs.environment,
        {
          ...options,
          knowsRecords: knowsRecords(session),
          expectsNothing: isUntouched(session.state) && !options.newEnvironment && !plan.recover,
        },
        context,
      )
    : success(undefined);
  if (!connected.ok) return connected;
  const service = connected.value;
  try {
    const spaces = service ? await checkSpaces(inputs.environment, service) : success(undefined);
    if (!spaces.ok) return spaces;
    const report = await applyWith(context, inputs, plan, session, service ?? unasked, options);
    const saved = await session.save();
    return success({ report: saved.ok ? withSavedRecords(report, saved.value) : report, saved });
  } finally {
    await service?.close();
  }
}

function knowsRecords({ state }: Session): boolean {
  return Object.keys(state.resources).length + state.retired.length > 0;
}

/** What the journal could not take and the state could is recorded after all. */
function withSavedRecords(report: ApplyReport, state: State): ApplyReport {
  const results = report.results.map((each) => {
    const recorded = each.result === 'unrecorded' && state.resources[each.address]?.id === each.remoteId;
    return recorded ? { ...each, result: 'applied' as const } : each;
  });
  return { ...report, results };
}

async function applyWith(
  context: CommandContext,
  { catalog, environment }: Inputs,
  plan: Plan,
  session: Session,
  service: Pick<ItemService, 'write'>,
  { parallel, event, newEnvironment: isNew = false }: CarryOutOptions,
): Promise<ApplyReport> {
  const stop = new AbortController();
  const removeListener = context.io.onInterrupt(() => {
    context.note(
      '\nStopping: nothing new is started, what is under way is finished. Again to stop at once.\n',
    );
    stop.abort();
  });
  try {
    const { honoured } = clientIds(environment.idNamespace, environment.profile, session.state);
    const showProgress = context.quiet ? () => {} : progressOn(context.io.stderr);
    const emit = (each: ApplyEvent) => {
      showProgress(each);
      event(each);
    };
    const { now } = context.io;
    const origin = await catalogOrigin(catalog, context);
    const ports = { catalog, origin, environment, service, recorder: session, now, emit, parallel, isNew };
    return await apply(plan, { ...ports, signal: stop.signal }, honoured);
  } finally {
    removeListener();
  }
}
