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
import {
  type ProbeSubject,
  renderProbeIntent,
  renderProbeJson,
  renderProbeText,
} from '../render/probe-text.ts';
import { wrap } from '../render/terminal.ts';
import type { Session } from '../state/session.ts';
import { type Diagnostic, error, failure, type Result, success } from '../text/diagnostic.ts';
import { readText } from '../text/read-file.ts';
import { SourceText } from '../text/source.ts';
import { checkCredentials, checkSpaces, connect } from './client.ts';
import { absoluteCatalog, type CommandContext } from './context.ts';
import { loadEnvironmentOnly } from './environments.ts';
import { type ExitCode, exitCode, fail, orFail, refuse } from './exit-code.ts';
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
    show(context, { points, left: [], pending: [] }, environment, undefined, options);
    const nothing = `Nothing is left to find out, so nothing was sent. To repeat it: trove probe${context.flags} --again`;
    context.note(`${wrap(nothing, '', '  ').join('\n')}\n`);
    return exitCode.done;
  }
  const begin = `trove probe${context.flags} --new-environment`;
  const opening = { operation: 'probe', create: options.newEnvironment === true, begin };
  return withStateOf(environment, opening, context, (session, signal) =>
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
  if (foreign.length > 0) return fail(foreign.map(notOurs));
  const settled = settledPoints(environment, options.again === true);
  const open = allPoints.filter((point) => !settled.has(point));
  const intent = renderProbeIntent(
    subjectOf(environment, context),
    open,
    mostNewRecords(session.entries, settled, options.again === true),
  );
  if (options.format === 'text') context.print(intent);
  orFail(checkCredentials(environment, options, context));
  const { passwordStdin } = options;
  const asking = { question: 'Write these records?', otherwise: 'Nothing was sent.', passwordStdin };
  if (!options.yes) await askFirst(context, { ...asking, refusal: unconfirmed(context.flags) });
  orFail(await session.verify());
  const report = await send(context, environment, session, signal, options);
  const saved = await session.save();
  const kept = await keepFindings(report.points, environment, context);
  show(context, report, environment, kept.ok ? kept.value : undefined, options, saved.ok);
  const problems = [saved, kept].flatMap((result) => (result.ok ? [] : result.diagnostics));
  const exit = exitCodeOf(report, problems.length === 0);
  return problems.length > 0 ? fail(problems, exit) : exit;
}

async function send(
  context: CommandContext,
  environment: Environment,
  session: Session,
  signal: AbortSignal,
  { passwordStdin = false, again = false }: ProbeOptions,
): Promise<ProbeReport> {
  const service = orFail(await connect(environment, { parallel: 1, passwordStdin, signal }, context));
  try {
    orFail(await checkSpaces(environment, service, signal));
    const { now } = context.io;
    const emit = ({ points }: { readonly points: readonly string[] }) =>
      context.note(`Trying ${points.join(', ')}\n`);
    return await carryOut({ environment, service, recorder: session, now, signal, emit, again });
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
): Promise<Result<string | undefined>> {
  if (service.kind !== 'remote' || !document) return success(undefined);
  const findings = findingsOf(points, service.baseUrl);
  if (Object.keys(findings.probed).length === 0) return success(undefined);
  const shown = document.source.path;
  const path = resolve(context.io.cwd, shown);
  const folder = absoluteCatalog(context);
  const about = { name, folder, digest: '' };
  const before = await readText(path, shown, { path: folder, called: 'the catalog' });
  if (!before.ok) return failure(before.problem);
  const valid = await readEnvironment(before.source, about);
  if (!valid.ok) return notWritten(valid.diagnostics);
  const text = addFindings(before.source.text, findings);
  if (text === undefined) return notWritten([notEditable(shown)]);
  const after = await readEnvironment(new SourceText(shown, text), about);
  if (!after.ok) return notWritten(after.diagnostics);
  try {
    await overwriteFile(path, text);
    return success(shown);
  } catch (cause) {
    return notWritten([unwritable(shown, cause)]);
  }
}

/** A point that could not be told leaves the profile as it is; that it was tried is evidence all the same. */
function findingsOf(points: readonly PointResult[], baseUrl: string): Findings {
  const profile: Record<string, string> = {};
  const probed: Record<string, ProbedPoint> = {};
  for (const result of points) {
    if (result.kind === 'found') {
      const { point, value, at, exchange } = result;
      profile[point] = value;
      probed[point] = { at, baseUrl, value, ...exchange };
    }
    if (result.kind === 'could-not-tell') {
      const { point, at, because, exchange } = result;
      probed[point] = { at, baseUrl, value: 'could-not-tell', because, ...exchange };
    }
  }
  return { profile, probed };
}

function notEditable(shown: string): Diagnostic {
  const hint = 'write `profile` and `probed` without anchors, one entry a line; then probe again';
  return error('not-editable', 'it can not be edited safely', { subject: shown, hint });
}

function notWritten(diagnostics: readonly Diagnostic[]): Result<never> {
  const message = 'the findings were not written into the environment';
  return failure(...diagnostics.map((each) => ({ ...each, message: `${message}: ${each.message}` })));
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

function unconfirmed(flags: string): Diagnostic {
  const hint = `look at what trove probe${flags} would leave behind, then: trove probe${flags} --yes`;
  return error('not-confirmed', 'without a terminal, probe does not ask and sends nothing', { hint });
}
