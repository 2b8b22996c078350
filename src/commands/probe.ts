import { resolve } from 'node:path';
import { addFindings, type Findings } from '../environment/file-text.ts';
import { readEnvironment } from '../environment/load.ts';
import type { Environment, ProbedPoint } from '../environment/model.ts';
import type { EnvironmentFile } from '../environment/schema.ts';
import { targetOf } from '../plan/make-plan.ts';
import {
  allPoints,
  type LeftRecord,
  type PointResult,
  type ProbeReport,
  settledPoints,
} from '../probe/model.ts';
import { probe as carryOut } from '../probe/probe.ts';
import { foreignRecords, mostNewRecords } from '../probe/records.ts';
import { becauseText } from '../render/messages/probe-reasons.ts';
import { seenText } from '../render/messages/seen-text.ts';
import {
  type ProbeSubject,
  renderProbeIntent,
  renderProbeJson,
  renderProbeText,
} from '../render/probe-text.ts';
import { wrap } from '../render/terminal.ts';
import type { Session } from '../state/session.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { readText } from '../text/read-file.ts';
import { SourceText } from '../text/source.ts';
import { checkCredentials, checkSpaces, withService } from './client.ts';
import { absoluteCatalog, type CommandContext } from './context.ts';
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
  if (environment.service.kind === 'embedded') return knownAlready(environment);
  const settled = settledPoints(environment, options.again === true);
  if (settled.size === allPoints.length) {
    const points = allPoints.flatMap((point) => settled.get(point) ?? []);
    show(context, { points, left: [], pending: [] }, environment, options);
    const nothing = `Nothing is left to find out, so nothing was sent. To repeat it: trove probe${context.flags} --again`;
    context.note(`${wrap(nothing, '', '  ').join('\n')}\n`);
    return exitCode.done;
  }
  const begin = `trove probe${context.flags} --new-environment`;
  const opening = { operation: 'probe', create: options.newEnvironment === true, begin };
  return withStateOf(environment, opening, context, async (session, signal) => {
    await confirmProbe(context, environment, session, settled, options);
    orFail(await session.verify());
    const report = await send(context, environment, session, signal, options);
    const saved = await session.save();
    const problems = saved.ok ? [] : [...saved.diagnostics];
    const writtenTo = await keepFindings(report.points, environment, context).catch((cause) => {
      if (!(cause instanceof CommandFailure)) throw cause;
      problems.push(...cause.problems.map(notWritten));
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
  if (foreign.length > 0) fail(foreign.map(notOurs));
  const open = allPoints.filter((point) => !settled.has(point));
  const subject = subjectOf(environment, context);
  const intent = renderProbeIntent(subject, open, mostNewRecords(entries, settled, again));
  if (format === 'text') context.print(intent);
  checkCredentials(environment, { passwordStdin }, context);
  const { flags } = context;
  const hint = `look at what trove probe${flags} would leave behind, then: trove probe${flags} --yes`;
  const asking = { question: 'Write these records?', otherwise: 'Nothing was sent.' };
  await askFirst(context, { ...asking, hint, yes, passwordStdin });
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
    const emit = ({ points }: { readonly points: readonly string[] }) =>
      context.note(`Trying ${points.join(', ')}\n`);
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
  const folder = absoluteCatalog(context);
  const about = { name, folder, digest: '' };
  const before = await readText(path, shown, { path: folder, called: 'the catalog' });
  if (!before.ok) return fail([before.problem]);
  orFail(await readEnvironment(before.source, about));
  const text = addFindings(before.source.text, findings) ?? notEditable(shown);
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

function notEditable(subject: string): never {
  const hint = 'write `profile` and `probed` without anchors, one entry a line; then probe again';
  return refuse('not-editable', 'it can not be edited safely', { subject, hint });
}

function notWritten(problem: Diagnostic): Diagnostic {
  const message = `the findings were not written into the environment: ${problem.message}`;
  return { ...problem, message };
}

function knownAlready({ name, document }: Environment): never {
  const message = `environment ${name} is the embedded service, whose profile Trove knows`;
  return refuse('profile-known', message, {
    ...(document && { subject: document.source.path }),
    hint: 'choose an environment with a `baseUrl`: -e NAME',
  });
}

function notOurs({ address, id }: LeftRecord): Diagnostic {
  const message = `${address} is recorded as ${id}, which no probe has made, and a probe would overwrite it`;
  return error('reserved-address', message, { hint: 'give this record another address first' });
}
