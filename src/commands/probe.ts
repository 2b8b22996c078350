import type { Environment } from '../environment/model.ts';
import type { EnvironmentFile } from '../environment/schema.ts';
import { targetOf } from '../plan/make-plan.ts';
import type { ProbeReport } from '../probe/model.ts';
import { allPoints, settledPoints } from '../probe/open-points.ts';
import { probe as carryOut } from '../probe/probe.ts';
import { foreignRecords, mostNewRecords } from '../probe/records.ts';
import {
  type ProbeSubject,
  renderProbeIntent,
  renderProbeJson,
  renderProbeText,
} from '../render/probe-text.ts';
import { wrap } from '../render/terminal.ts';
import type { Session } from '../state/session.ts';
import { type Diagnostic, failure, type Result, success } from '../text/diagnostic.ts';
import { askFirst } from './asking/ask-first.ts';
import { checkSpaces } from './connecting/check-spaces.ts';
import { checkCredentials, connect } from './connecting/connect.ts';
import type { CommandContext } from './invocation/context.ts';
import { type ExitCode, exitCode } from './invocation/exit-code.ts';
import { loadEnvironmentOnly } from './invocation/inputs.ts';
import { keepFindings } from './probing/keep-findings.ts';
import { knownAlready, notOurs, unconfirmed } from './probing/probe-refusals.ts';
import { withStateOf } from './recording/with-state.ts';

export interface ProbeOptions {
  readonly yes?: boolean;
  readonly newEnvironment?: boolean;
  readonly again?: boolean;
  readonly passwordStdin?: boolean;
  readonly format: 'text' | 'json';
}

/** `trove probe`: finds out what the service does where its interface is silent, and writes it into the profile. */
export async function probe(context: CommandContext, options: ProbeOptions): Promise<ExitCode> {
  const loaded = await loadEnvironmentOnly(context);
  if (!loaded.ok) return refuse(context, loaded.diagnostics);
  const environment = loaded.value;
  if (environment.service.kind === 'embedded') return refuse(context, [knownAlready(environment)]);
  const settled = settledPoints(environment, options.again === true);
  if (settled.size === allPoints.length) {
    const points = allPoints.flatMap((point) => settled.get(point) ?? []);
    show(context, { points, left: [], pending: [] }, environment, undefined, options);
    const nothing = `Nothing is left to find out, so nothing was sent. To repeat it: trove probe${context.flags} --again`;
    context.note(`${wrap(nothing, '', '  ').join('\n')}\n`);
    return exitCode.done;
  }
  const whenMissing = `if it was applied before, put its state back first; if the state is lost for good, first: trove apply${context.flags} --recover; if this environment is really new: trove probe${context.flags} --new-environment`;
  const create = options.newEnvironment === true;
  return withStateOf(environment, { operation: 'probe', create, whenMissing }, context, (session, signal) =>
    probeLocked(context, environment, session, signal, options),
  );
}

async function probeLocked(
  context: CommandContext,
  environment: Environment,
  session: Session,
  signal: AbortSignal,
  options: ProbeOptions,
): Promise<ExitCode> {
  const foreign = foreignRecords(session.entries);
  if (foreign.length > 0) return refuse(context, foreign.map(notOurs));
  const settled = settledPoints(environment, options.again === true);
  const open = allPoints.filter((point) => !settled.has(point));
  const intent = renderProbeIntent(
    subjectOf(environment, context),
    open,
    mostNewRecords(session.entries, settled, options.again === true),
  );
  if (options.format === 'text') context.print(intent);
  const credentials = checkCredentials(environment, options, context);
  if (!credentials.ok) return refuse(context, credentials.diagnostics);
  const agreed = options.yes ? undefined : await agree(context, options);
  if (agreed !== undefined) return agreed;
  const still = await session.verify();
  if (!still.ok) return refuse(context, still.diagnostics);
  const report = await send(context, environment, session, signal, options);
  if (!report.ok) return refuse(context, report.diagnostics);
  const saved = await session.save();
  const kept = await keepFindings(report.value.points, environment, context);
  show(context, report.value, environment, kept.ok ? kept.value : undefined, options);
  for (const result of [saved, kept]) if (!result.ok) context.complain(result.diagnostics);
  return exitCodeOf(report.value, saved.ok && kept.ok);
}

async function send(
  context: CommandContext,
  environment: Environment,
  session: Session,
  signal: AbortSignal,
  { passwordStdin = false, again = false }: ProbeOptions,
): Promise<Result<ProbeReport>> {
  const connected = await connect(environment, { parallel: 1, passwordStdin, signal }, context);
  if (!connected.ok) return connected;
  const service = connected.value;
  try {
    const spaces = await checkSpaces(environment, service, signal);
    if (!spaces.ok) return failure(...spaces.diagnostics);
    const { now } = context.io;
    const emit = ({ points }: { readonly points: readonly string[] }) =>
      context.note(`Trying ${points.join(', ')}\n`);
    return success(await carryOut({ environment, service, recorder: session, now, signal, emit, again }));
  } finally {
    await service.close();
  }
}

function show(
  context: CommandContext,
  report: ProbeReport,
  environment: Environment,
  writtenTo: string | undefined,
  { format }: ProbeOptions,
): void {
  const subject = subjectOf(environment, context);
  context.print(
    format === 'json'
      ? renderProbeJson(report, subject, writtenTo)
      : renderProbeText(report, subject, writtenTo, context.color.stdout),
  );
}

function subjectOf(environment: Environment, { flags }: CommandContext): ProbeSubject {
  const { name, credentials, document } = environment;
  const { profile = {} } = (document?.value ?? {}) as EnvironmentFile;
  return { environment: name, target: targetOf(environment), credentials, profile, flags };
}

/** Undefined: go on. */
function agree(context: CommandContext, { passwordStdin }: ProbeOptions): Promise<ExitCode | undefined> {
  return askFirst(context, {
    question: 'Write these records?',
    otherwise: 'Nothing was sent.',
    refusal: unconfirmed(context.flags),
    passwordStdin,
  });
}

function exitCodeOf({ halt, pending }: ProbeReport, isKept: boolean): ExitCode {
  if (halt?.kind === 'interrupted') return exitCode.interrupted;
  if (pending.length > 0) return exitCode.unknown;
  return halt || !isKept ? exitCode.error : exitCode.done;
}

function refuse(context: CommandContext, diagnostics: readonly Diagnostic[]): ExitCode {
  context.complain(diagnostics);
  return exitCode.error;
}
