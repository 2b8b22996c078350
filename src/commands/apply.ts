import type { Inputs } from '../environment/join-inputs.ts';
import { exceededLimits } from '../plan/limits.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { Plan } from '../plan/model.ts';
import { type SavedPlan, savePlan, staleness } from '../plan/saved-plan.ts';
import { strangeState } from '../plan/strange-state.ts';
import { unknownAddresses } from '../plan/targets.ts';
import type { Wishes } from '../plan/wishes.ts';
import { renderApplyJson, renderApplyText } from '../render/apply-text.ts';
import { renderPlanText } from '../render/plan-text.ts';
import type { State } from '../state/model.ts';
import type { Session } from '../state/session.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { version } from '../version.ts';
import { applyExitCode } from './apply-exit-code.ts';
import { carryOut } from './carry-out.ts';
import { confirm } from './confirm.ts';
import { checkCredentials } from './connect.ts';
import type { CommandContext } from './context.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { loadInputs } from './inputs.ts';
import { openState } from './open-state.ts';
import { readPlanFile } from './read-plan-file.ts';
import { hasWishes, type WishOptions, wishesOf, wishesOfPlan } from './wishes.ts';

export interface ApplyOptions extends WishOptions {
  readonly yes?: boolean;
  readonly newEnvironment?: boolean;
  readonly passwordStdin?: boolean;
  readonly parallel: number;
  readonly format: 'text' | 'json';
}

/** `trove apply [PLANFILE]`: makes the environment as the catalog declares it. */
export async function apply(
  context: CommandContext,
  planFile: string | undefined,
  options: ApplyOptions,
): Promise<ExitCode> {
  if (planFile !== undefined && hasWishes(options)) return refuse(context, [wishesAreSaved(planFile)]);
  const saved = planFile === undefined ? undefined : await readPlanFile(planFile, context);
  if (saved && !saved.ok) return refuse(context, saved.diagnostics);
  const inputs = await loadInputs(context);
  if (!inputs.ok) return refuse(context, inputs.diagnostics);
  const { environment } = inputs.value;
  const isNew =
    options.newEnvironment === true || options.recover === true || saved?.value.plan.recover === true;
  const create = isNew || environment.service.kind === 'embedded';
  const opened = await openState(environment, { operation: 'apply', create }, context);
  if (!opened.ok) return opened.exit;
  const { session } = opened;
  try {
    return await applyLocked(context, inputs.value, session, saved?.value, options);
  } finally {
    const closed = await session.close();
    if (!closed.ok) context.complain(closed.diagnostics);
  }
}

async function applyLocked(
  context: CommandContext,
  inputs: Inputs,
  session: Session,
  saved: SavedPlan | undefined,
  options: ApplyOptions,
): Promise<ExitCode> {
  const wishes = saved ? wishesOfPlan(saved.plan) : wishesOf(options);
  const state = session.state.serial === 0 && session.recovered === 0 ? undefined : session.state;
  const unknown = unknownAddresses(wishes, inputs.catalog, state);
  if (unknown.length > 0) return refuse(context, unknown);
  const plan = makePlan({ ...inputs, state, ...wishes });
  const objections = [
    ...(saved ? staleness(saved, savePlan(plan, inputs.environment, version)) : []),
    ...exceededLimits(plan, inputs.environment),
    ...strangeState(inputs.catalog, state, wishes),
  ];
  if (objections.length > 0) return refuse(context, objections);
  if (options.format === 'text') context.print(renderPlanText(plan, context.color.stdout));
  const credentials = checkCredentials(inputs.environment, options, context);
  if (sends(plan) && !credentials.ok) return refuse(context, credentials.diagnostics);
  const agreed = await agree(context, plan, saved !== undefined, options);
  if (agreed !== undefined) return agreed;
  const carriedOut = await carryOut(context, inputs, plan, session, options);
  if (!carriedOut.ok) return refuse(context, carriedOut.diagnostics);
  const { report, saved: after } = carriedOut.value;
  const reader = { credentials: inputs.environment.credentials, flags: context.flags };
  if (options.format === 'json') context.print(renderApplyJson(report, after.ok ? after.value : undefined));
  else if (plan.changes.length > 0)
    context.print(`\n${renderApplyText(report, context.color.stdout, reader)}`);
  if (after.ok && !report.halt) tellWhatFollows(context, inputs, after.value, wishes);
  if (!after.ok) context.complain(after.diagnostics);
  return applyExitCode(report, plan, after.ok);
}

/** An answer can show what nobody knew: of an imported record everything but its id. */
function tellWhatFollows(context: CommandContext, inputs: Inputs, state: State, wishes: Wishes): void {
  const { targets, confirmNew } = wishes;
  const next = makePlan({ ...inputs, state, targets, confirmNew });
  const count = next.changes.filter(({ requests }) => requests.length > 0).length;
  if (count === 0) return;
  const what = count === 1 ? '1 more change follows' : `${count} more changes follow`;
  context.note(`${what} from what is known now: trove plan${context.flags}\n`);
}

/** Undefined: go on. Nothing is asked where nothing would be sent. */
async function agree(
  context: CommandContext,
  plan: Plan,
  isSaved: boolean,
  { yes, passwordStdin }: ApplyOptions,
): Promise<ExitCode | undefined> {
  if (yes || isSaved || !sends(plan)) return undefined;
  if (context.io.stdin.isTTY && context.io.stderr.isTTY && !passwordStdin) {
    const agreement = await confirm('Apply this?', context);
    if (agreement === 'yes') return undefined;
    context.note('\nNothing was sent.\n');
    return agreement === 'interrupted' ? exitCode.interrupted : exitCode.error;
  }
  const { flags } = context;
  const hint = `look at the plan above, then: trove apply${flags} --yes, or trove plan${flags} --out FILE and trove apply${flags} FILE`;
  return refuse(context, [
    error('not-confirmed', 'without a terminal, apply does not ask and sends nothing', { hint }),
  ]);
}

function wishesAreSaved(planFile: string): Diagnostic {
  const hint = 'give --target and its like to trove plan --out instead';
  return error('target-with-plan', 'a saved plan is carried out whole', { subject: planFile, hint });
}

function sends({ changes }: Plan): boolean {
  return changes.some(({ requests }) => requests.length > 0);
}

function refuse(context: CommandContext, diagnostics: readonly Diagnostic[]): ExitCode {
  context.complain(diagnostics);
  return exitCode.error;
}
