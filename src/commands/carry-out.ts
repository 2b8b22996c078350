import type { ItemService } from '../api/client.ts';
import { apply } from '../apply/apply.ts';
import { doneAs } from '../apply/change.ts';
import type { ApplyEvent, ApplyReport, ChangeResult, ResultKind } from '../apply/model.ts';
import type { Catalog } from '../catalog/model.ts';
import type { Inputs } from '../environment/join-inputs.ts';
import { clientIds } from '../plan/client-id.ts';
import type { Plan } from '../plan/model.ts';
import { pendingMoves } from '../plan/moves.ts';
import { type ExplainedReport, explainReport } from '../render/messages/explain-plan.ts';
import { seenText } from '../render/messages/seen-text.ts';
import { progressOn } from '../render/terminal.ts';
import { type Entries, entriesOf, isInDoubt } from '../state/entries.ts';
import { isUntouched, type State } from '../state/model.ts';
import type { Session } from '../state/session.ts';
import type { Result } from '../text/diagnostic.ts';
import { checkSpaces, withService } from './client.ts';
import type { CommandContext } from './context.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { catalogOrigin } from './git.ts';

export function sends({ changes }: Plan): boolean {
  return changes.some(({ requests }) => requests.length > 0);
}

/** A plan and what became of it. */
export interface AppliedPlan {
  readonly plan: Plan;
  readonly inputs: Inputs;
  readonly report: ExplainedReport;
  /** The state as it was saved. Where it could not be, the report still has every id. */
  readonly saved: Result<State>;
}

interface CarryOutOptions {
  readonly parallel: number;
  readonly passwordStdin?: boolean;
  readonly newEnvironment?: boolean;
  readonly signal: AbortSignal;
  readonly event: ((event: ApplyEvent) => void) | undefined;
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
): Promise<AppliedPlan> {
  const { catalog, environment } = inputs;
  const { parallel, signal, event, newEnvironment: isNew = false } = options;
  const expectsNothing = isUntouched(session.state) && !isNew && !plan.recover;
  const showProgress = context.quiet ? () => {} : progressOn(context.io.stderr);
  const emit = (each: ApplyEvent) => {
    showProgress(each);
    event?.(each);
  };
  const applyOver = async (service: Pick<ItemService, 'write'>): Promise<AppliedPlan> => {
    const origin = await catalogOrigin(catalog, context);
    const ids = clientIds(environment, session.state);
    const sending = { service, recorder: session, now: context.io.now, signal, emit };
    const ports = { catalog, origin, environment, ...sending, parallel, isNew, seenText };
    const report = await apply(plan, ports, ids.honoured);
    const saved = await session.save();
    const kept = saved.ok ? saved.value : await session.kept();
    const told = explainReport(asKept(report, plan, kept, catalog, ids, saved.ok));
    return { plan, inputs, report: told, saved };
  };
  if (!sends(plan)) return applyOver(unasked);
  return withService(environment, { ...options, expectsNothing }, context, async (service) => {
    await checkSpaces(environment, service, signal);
    return applyOver(service);
  });
}

/**
 * The report by what is really kept. The state may have what the journal could not take; and where both are gone, an
 * ID that was recorded once is told, since it is nowhere else.
 */
function asKept(
  report: ApplyReport,
  { moved, protections }: Plan,
  kept: State | undefined,
  catalog: Catalog,
  ids: Pick<ReturnType<typeof clientIds>, 'again'>,
  isSaved: boolean,
): ApplyReport {
  const entries = entriesOf(kept);
  const open = new Set(pendingMoves(catalog, kept).map(({ from, to }) => `${from} ${to}`));
  return {
    ...report,
    results: report.results.map((each) => {
      const result = resultAsKept(each, entries, isSaved);
      const pending = entries.find('pending', each.address);
      const settles = result === 'unknown' && pending && ids.again(pending) === 'settles';
      return { ...each, result, ...(result !== each.result && settles && { settles }) };
    }),
    moved: kept ? moved.filter(({ from, to }) => !open.has(`${from} ${to}`)) : [],
    protections: protections.filter(({ address, protect }) => {
      const record = entries.find('live', address);
      return record && (record.protect ?? false) === protect;
    }),
  };
}

/** Of an update the ID is known anyway, and the save alone tells whether its answer is kept. */
function resultAsKept(each: ChangeResult, entries: Entries, isSaved: boolean): ResultKind {
  const { address, action, result, remoteId } = each;
  const has = (status: 'live' | 'retired') =>
    entries.at(address).some((entry) => entry.status === status && entry.id === remoteId);
  if (action === 'retire') return has('retired') ? 'recorded' : 'not-started';
  // Of an earlier run: what became of it is as unknown as before.
  const isOpen = entries.at(address).some((entry) => {
    if (entry.status === 'pending') return true;
    return action !== 'replace' && isInDoubt(entry) && entry.id === remoteId;
  });
  if (result === 'not-started' && isOpen) return 'unknown';
  if (result !== 'unrecorded' && result !== 'applied' && result !== 'diverged') return result;
  if (action === 'create' || action === 'replace') return has('live') ? doneAs(each) : 'unrecorded';
  return isSaved ? doneAs(each) : result;
}

/** What only a person can settle outranks what a second run may. */
export function applyExitCode(
  { results, halt }: ExplainedReport,
  { summary }: Plan,
  saved: boolean,
): ExitCode {
  const has = (...kinds: readonly ResultKind[]) => results.some(({ result }) => kinds.includes(result));
  if (halt?.kind === 'interrupted') return exitCode.interrupted;
  if (has('unknown') || summary.unknown > 0) return exitCode.unknown;
  if (!saved || halt || has('failed', 'unrecorded', 'not-started')) return exitCode.error;
  return summary.blocked + summary.waiting > 0 ? exitCode.blocked : exitCode.done;
}
