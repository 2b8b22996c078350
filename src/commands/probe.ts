import { resolve } from 'node:path';
import { addFindings, type Findings } from '../environment/file-text.ts';
import { readEnvironment } from '../environment/load.ts';
import type { Environment, EnvironmentFile, ProbedPoint } from '../environment/model.ts';
import { targetOf } from '../plan/make-plan.ts';
import { allPoints, type PointResult, type ProbeReport, settledPoints } from '../probe/model.ts';
import { probe as carryOut } from '../probe/probe.ts';
import { foreignRecords, mostNewRecords } from '../probe/records.ts';
import { PROBED_NOTE } from '../render/messages/environment-file.ts';
import { explainUnwritten } from '../render/messages/explain-problem.ts';
import { becauseText, seenText } from '../render/messages/seen-text.ts';
import {
  askToProbe,
  nothingLeftText,
  type ProbeSubject,
  renderProbeIntent,
  renderProbeJson,
  renderProbeText,
  tryingText,
} from '../render/probe-text.ts';
import type { Session } from '../state/session.ts';
import { error } from '../text/diagnostic.ts';
import { readText } from '../text/read-file.ts';
import { SourceText } from '../text/source.ts';
import { checkSpaces, withService } from './client.ts';
import type { CommandContext } from './context.ts';
import { checkCredentials, withCredentials } from './credentials.ts';
import { loadEnvironmentOnly } from './environments.ts';
import { CommandFailure, type ExitCode, exitCode, fail, orFail, refuse } from './exit-code.ts';
import { withStateOf } from './locked-state.ts';
import { overwriteFile, unwritable } from './outputs.ts';
import { askFirst } from './prompt.ts';

interface ProbeOptions {
  readonly yes?: boolean;
  readonly newEnvironment?: boolean;
  readonly again?: boolean;
  readonly passwordStdin?: boolean;
  readonly format: 'text' | 'json';
}

/** `trove probe`: finds out what the service does where its interface is silent, and writes it into the profile. */
export async function probe(context: CommandContext, options: ProbeOptions): Promise<ExitCode> {
  const environment = orFail(await loadEnvironmentOnly(context));
  const { service, document, name } = environment;
  if (service.kind === 'embedded')
    refuse('profile-known', { environment: name }, document && { subject: document.source.path });
  const settled = settledPoints(environment, options.again === true);
  if (settled.size === allPoints.length) {
    const points = allPoints.flatMap((point) => settled.get(point) ?? []);
    show(context, { points, left: [], pending: [] }, environment, options);
    context.note(nothingLeftText(context.flags));
    return exitCode.done;
  }
  const begin = `trove probe${context.flags} --new-environment`;
  const opening = { operation: 'probe', create: options.newEnvironment === true, begin };
  return withStateOf(environment, opening, context, async (session, signal) => {
    await confirmProbe(context, environment, session, settled, options);
    const connecting = await withCredentials(environment, options, context);
    orFail(await session.verify());
    const report = await send(connecting, environment, session, signal, options);
    const saved = await session.save();
    const problems = saved.ok ? [] : [...saved.diagnostics];
    const writtenTo = await keepFindings(report.points, environment, context).catch((cause) => {
      if (!(cause instanceof CommandFailure)) throw cause;
      problems.push(...explainUnwritten(cause.problems, context.flags));
      return undefined;
    });
    show(context, report, environment, options, writtenTo, saved.ok);
    const exit = exitCodeOf(report, problems.length === 0);
    return problems.length > 0 ? fail(problems, exit) : exit;
  });
}

/** Shows what would be left behind, and asks. */
async function confirmProbe(
  context: CommandContext,
  environment: Environment,
  { entries }: Session,
  settled: ReturnType<typeof settledPoints>,
  { again = false, format, passwordStdin, yes }: ProbeOptions,
): Promise<void> {
  const foreign = foreignRecords(entries);
  if (foreign.length > 0) fail(foreign.map(({ address, id }) => error('reserved-address', { address, id })));
  const open = allPoints.filter((point) => !settled.has(point));
  const subject = subjectOf(environment, context);
  const intent = renderProbeIntent(subject, open, mostNewRecords(entries, settled, again));
  if (format === 'text') context.print(intent);
  checkCredentials(environment, { passwordStdin }, context);
  await askFirst(context, { ...askToProbe(context.flags), yes, passwordStdin });
}

function send(
  context: CommandContext,
  environment: Environment,
  session: Session,
  signal: AbortSignal,
  { passwordStdin, again = false }: ProbeOptions,
): Promise<ProbeReport> {
  return withService(environment, { parallel: 1, passwordStdin, signal }, context, async (service) => {
    await checkSpaces(environment, service, signal);
    const { now } = context.io;
    const emit = ({ points }: { readonly points: readonly string[] }) => context.note(tryingText(points));
    return carryOut({ environment, service, recorder: session, now, signal, seenText, emit, again });
  });
}

function show(
  context: CommandContext,
  report: ProbeReport,
  environment: Environment,
  { format }: ProbeOptions,
  writtenTo?: string,
  isSaved = true,
): void {
  const subject = subjectOf(environment, context);
  context.print(
    format === 'json'
      ? renderProbeJson(report, subject, writtenTo)
      : renderProbeText(report, subject, writtenTo, context.color.stdout, isSaved),
  );
}

function subjectOf(environment: Environment, { flags }: CommandContext): ProbeSubject {
  const { name, credentials, document } = environment;
  const { profile = {} } = (document?.value ?? {}) as EnvironmentFile;
  return { environment: name, target: targetOf(environment), credentials, profile, flags };
}

function exitCodeOf({ halt, pending }: ProbeReport, isKept: boolean): ExitCode {
  if (halt?.kind === 'interrupted') return exitCode.interrupted;
  if (pending.length > 0) return exitCode.unknown;
  return halt || !isKept ? exitCode.error : exitCode.done;
}

/**
 * Writes what a probe found into the file of its environment, which may have been edited meanwhile, and gives its
 * path as people see it; undefined if there is nothing to write. The new text is checked before it takes its place.
 */
async function keepFindings(
  points: readonly PointResult[],
  { name, service, document }: Environment,
  context: CommandContext,
): Promise<string | undefined> {
  if (service.kind !== 'remote' || !document) return undefined;
  const findings = findingsOf(points, service.baseUrl);
  if (Object.keys(findings.probed).length === 0) return undefined;
  const shown = document.source.path;
  const path = resolve(context.io.cwd, shown);
  const folder = context.catalogPath;
  const about = { name, folder, digest: '' };
  const before = await readText(path, shown, { path: folder, called: 'catalog' });
  if (!before.ok) return fail([before.problem]);
  orFail(await readEnvironment(before.source, about));
  const text =
    addFindings(before.source.text, findings, PROBED_NOTE) ?? refuse('not-editable', {}, { subject: shown });
  orFail(await readEnvironment(new SourceText(shown, text), about));
  await overwriteFile(path, text).catch((cause) => fail([unwritable(shown, cause)]));
  return shown;
}

/** A point that could not be told leaves the profile as it is; that it was tried is evidence all the same. */
function findingsOf(points: readonly PointResult[], baseUrl: string): Findings {
  const profile: Record<string, string> = {};
  const probed: Record<string, ProbedPoint> = {};
  for (const result of points) {
    const { kind, point } = result;
    if (kind === 'found') {
      const { value, at, exchange } = result;
      profile[point] = value;
      probed[point] = { at, baseUrl, value, ...exchange };
    } else if (kind === 'could-not-tell') {
      const { at, exchange } = result;
      const because = becauseText(result.because);
      probed[point] = { at, baseUrl, value: kind, because, ...exchange };
    }
  }
  return { profile, probed };
}
