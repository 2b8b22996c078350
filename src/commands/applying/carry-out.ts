import type { ItemService } from '../../api/item-service.ts';
import { apply } from '../../apply/apply.ts';
import { doneAs } from '../../apply/change.ts';
import type { ApplyEvent, ApplyReport } from '../../apply/model.ts';
import type { ApplyPorts } from '../../apply/run.ts';
import type { Inputs } from '../../environment/join-inputs.ts';
import { clientIds } from '../../plan/client-id.ts';
import type { Plan } from '../../plan/model.ts';
import { progressOn } from '../../render/progress.ts';
import { entriesOf } from '../../state/entries.ts';
import type { State } from '../../state/model.ts';
import { isUntouched } from '../../state/model.ts';
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
  signal: AbortSignal,
  options: CarryOutOptions,
): Promise<Result<CarriedOut>> {
  const sends = plan.changes.some(({ requests }) => requests.length > 0);
  const connected = sends
    ? await connect(
        inputs.environment,
        {
          ...options,
          signal,
          expectsNothing: isUntouched(session.state) && !options.newEnvironment && !plan.recover,
        },
        context,
      )
    : success(undefined);
  if (!connected.ok) return connected;
  const service = connected.value;
  try {
    const spaces = service ? await checkSpaces(inputs.environment, service, signal) : success(undefined);
    if (!spaces.ok) return spaces;
    const ports = await portsFor(context, inputs, session, service ?? unasked, options);
    const { honoured } = clientIds(inputs.environment.idNamespace, inputs.environment.profile, session.state);
    const report = await apply(plan, { ...ports, signal }, honoured);
    const saved = await session.save();
    return success({ report: saved.ok ? withSavedRecords(report, saved.value) : report, saved });
  } finally {
    await service?.close();
  }
}

/** What the journal could not take and the state could is recorded after all. */
function withSavedRecords(report: ApplyReport, state: State): ApplyReport {
  const results = report.results.map((each) => {
    const saved = entriesOf(state).find('live', each.address);
    const recorded = each.result === 'unrecorded' && saved?.id === each.remoteId;
    return recorded ? { ...each, result: doneAs(each) } : each;
  });
  return { ...report, results };
}

async function portsFor(
  context: CommandContext,
  { catalog, environment }: Inputs,
  recorder: Session,
  service: Pick<ItemService, 'write'>,
  { parallel, event, newEnvironment: isNew = false }: CarryOutOptions,
): Promise<Omit<ApplyPorts, 'signal'>> {
  const showProgress = context.quiet ? () => {} : progressOn(context.io.stderr);
  const emit = (each: ApplyEvent) => {
    showProgress(each);
    event(each);
  };
  const origin = await catalogOrigin(catalog, context);
  return { catalog, origin, environment, service, recorder, now: context.io.now, emit, parallel, isNew };
}
