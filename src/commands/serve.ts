import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { ErrorObject } from 'ajv';
import { validate as isDialect } from '../../generated/dialect.js';
import { validate as isFaults } from '../../generated/faults.js';
import { validate as isWorld } from '../../generated/world.js';
import dialectSchema from '../../schemas/dialect.schema.json' with { type: 'json' };
import faultsSchema from '../../schemas/faults.schema.json' with { type: 'json' };
import worldSchema from '../../schemas/world.schema.json' with { type: 'json' };
import { isLoopback } from '../contract/api.ts';
import { concealSecrets } from '../environment/credentials.ts';
import {
  failedRequestText,
  heldText,
  listeningText,
  openText,
  renderSettings,
} from '../render/command-texts.ts';
import { type Dialect, type DialectPoint, defaultDialect, dialectPoints } from '../service/dialect.ts';
import { type FaultSettings, faultProblems } from '../service/faults.ts';
import type { RunningService } from '../service/server.ts';
import type { World } from '../service/world.ts';
import { type Diagnostic, error, failure, type Result, success } from '../text/diagnostic.ts';
import { sortDiagnostics } from '../text/problem-list.ts';
import { readText, systemCause } from '../text/read-file.ts';
import type { SchemaNode } from '../text/schema-path.ts';
import { schemaProblems } from '../text/schema-problems.ts';
import { readYaml, type YamlDocument } from '../text/yaml.ts';
import { startEmbedded } from './client.ts';
import { type CommandContext, workingFolder } from './context.ts';
import { loadEnvironmentOnly } from './environments.ts';
import { fail, orFail, refuse } from './exit-code.ts';

interface ServeOptions {
  readonly local?: boolean;
  readonly port: number;
  readonly host: string;
  /** Needed unless the dialect is printed. */
  readonly db?: string;
  readonly world?: string;
  readonly faults?: string;
  readonly dialect?: string;
  readonly seed: number;
  readonly printDialect?: boolean;
  readonly allowRemote?: boolean;
}

/**
 * `trove serve`: the embedded service, until a signal stops it; then it finishes requests in flight and closes
 * its database. The first line on stdout is its URL, once it listens.
 */
export async function serve(context: CommandContext, options: ServeOptions): Promise<void> {
  if (options.printDialect) return printDialect(context, options.dialect);
  const stopped = new Promise<void>((stop) => {
    context.io.onInterrupt(() => {
      stop();
      return undefined;
    });
  });
  const started = await (options.local ? startLocal : start)(context, options);
  context.print(started.text);
  if (options.local) context.note(heldText(context.environmentName));
  await stopped;
  await started.close();
}

type Started = Pick<RunningService, 'close'> & { readonly text: string };

/** The embedded service of an environment, with what apply has written, and its page for this machine. */
async function startLocal(context: CommandContext, { port }: ServeOptions): Promise<Started> {
  const environment = orFail(await loadEnvironmentOnly(context));
  const { name, service: wanted } = environment;
  if (wanted.kind === 'remote') refuse('not-embedded', { environment: name });
  if (!existsSync(environment.database)) refuse('nothing-applied', {});
  const { service, credentials } = await startEmbedded(environment, context, {
    port,
    onError: onError(context),
  });
  const page = Object.assign(new URL('/', service.url), credentials);
  return { text: openText(page.href), close: service.close };
}

async function start(context: CommandContext, options: ServeOptions): Promise<Started> {
  const { host, port, seed, allowRemote, db } = options;
  if (!allowRemote && !isLoopback(host)) refuse('beyond-loopback', { host }, { subject: '--host' });
  if (db === undefined) return refuse('no-database', {});
  const [world, faults, dialect] = await Promise.all([
    readSettings<World>(options.world, worldFile, context),
    readSettings<FaultSettings>(options.faults, faultsFile, context),
    readSettings<Partial<Dialect>>(options.dialect, dialectFile, context),
  ]);
  if (!world.ok || !faults.ok || !dialect.ok)
    return fail([world, faults, dialect].flatMap((read) => (read.ok ? [] : read.diagnostics)));
  const settings = { world: world.value, faults: faults.value, dialect: dialect.value };
  const database = resolve(context.io.cwd, db);
  const folder = dirname(database);
  await mkdir(folder, { recursive: true }).catch((cause) =>
    refuse('database-folder', systemCause(cause), { subject: folder }),
  );
  const { startService } = await import('../service/server.ts');
  const listening = { ...settings, seed, database, host, port, onError: onError(context) };
  const { url, close } = await startService(listening).catch(({ code, message: said }) =>
    code === 'EADDRINUSE' ? refuse('port-in-use', { host, port }) : refuse('serve', { said }),
  );
  return { text: listeningText(url), close };
}

/** What the client sees as status 500. Messages and stacks are ours and the database's: no request is in them. */
function onError({ note, debug }: CommandContext): (cause: unknown) => void {
  return (cause) => {
    const { message, stack } = cause as Error;
    note(failedRequestText((debug && stack) || message));
  };
}

/** Every point of the dialect, with its value as the file says and what else it can be. */
async function printDialect(context: CommandContext, file: string | undefined): Promise<void> {
  const read = orFail(await readSettings<Partial<Dialect>>(file, dialectFile, context));
  const dialect = { ...defaultDialect, ...read };
  const rows = (Object.keys(dialectPoints) as DialectPoint[]).map((point) => ({
    name: point,
    value: String(dialect[point]),
    values: dialectPoints[point].map(String),
  }));
  context.print(renderSettings(rows));
}

interface SettingsFile {
  readonly schema: SchemaNode;
  /** The validator that the build makes of the schema. */
  readonly validate: ((value: unknown) => boolean) & { errors?: ErrorObject[] | null };
  /** What it contains if it is not given. */
  readonly absent?: object;
  /** No message quotes it. */
  readonly hasSecrets?: boolean;
  /** Problems beyond its schema. */
  readonly check?: (document: YamlDocument) => readonly Diagnostic[];
}

const worldFile: SettingsFile = { schema: worldSchema, validate: isWorld, hasSecrets: true };
const dialectFile: SettingsFile = { schema: dialectSchema, validate: isDialect };
const faultsFile: SettingsFile = {
  schema: faultsSchema,
  validate: isFaults,
  absent: { rules: [] },
  check: (document) =>
    faultProblems(document.value as FaultSettings).map(({ path, message: said }) =>
      error('invalid-fault', { said }, { location: document.locate(path) }),
    ),
};

/** Reads a settings file, YAML or JSON, which is YAML too: its value, or every problem at its place. */
async function readSettings<T>(
  path: string | undefined,
  { schema, validate, absent = {}, hasSecrets = false, check }: SettingsFile,
  { io }: Pick<CommandContext, 'io'>,
): Promise<Result<T>> {
  if (path === undefined) return success(absent as T);
  const text = await readText(resolve(io.cwd, path), path, workingFolder(io));
  if (!text.ok) return failure({ ...text.problem, ...(hasSecrets && { concealed: 'excerpt' as const }) });
  const refused = (found: readonly Diagnostic[]) =>
    failure(...(hasSecrets ? concealSecrets(found, text.source) : found));
  const { document, diagnostics } = await readYaml(text.source);
  if (document === undefined || diagnostics.length > 0) return refused(diagnostics);
  if (!validate(document.value))
    return refused(sortDiagnostics(schemaProblems(document, schema, validate.errors ?? [])));
  const problems = check?.(document) ?? [];
  if (problems.length > 0) return failure(...sortDiagnostics(problems));
  const { $schema: _, ...settings } = document.value as { readonly $schema?: string };
  return success(settings as T);
}
