import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { shownPath } from '../catalog/find.ts';
import type { Catalog } from '../catalog/model.ts';
import { applyOverrides } from '../environment/apply-overrides.ts';
import { copyEnvironment } from '../environment/file-text.ts';
import { findEnvironment } from '../environment/find.ts';
import { joinInputs, unboundAttributes, usedAttributes } from '../environment/join-inputs.ts';
import { readEnvironment } from '../environment/load.ts';
import type { Environment, TeamSettings } from '../environment/model.ts';
import { compareEnvironments, type Side } from '../plan/compare-environments.ts';
import { makePlan, targetOf } from '../plan/make-plan.ts';
import { renderAdded, renderNextSteps, renderRemoved } from '../render/command-texts.ts';
import {
  type ComparedEnvironment,
  type ListedEnvironment,
  type RecordedCounts,
  renderEnvironmentList,
  renderEnvironmentListJson,
  renderEnvironmentsDifference,
  renderEnvironmentsDifferenceJson,
  renderWhereToLook,
} from '../render/environment-text.ts';
import { copyNotes, environmentTemplate } from '../render/messages/environment-file.ts';
import { explainProblems } from '../render/messages/explain-problem.ts';
import { entriesOf, recordedEntries } from '../state/entries.ts';
import type { State } from '../state/model.ts';
import { type Diagnostic, type Result, success } from '../text/diagnostic.ts';
import { unreadable } from '../text/read-file.ts';
import { SourceText } from '../text/source.ts';
import { type CommandContext, contextFor } from './context.ts';
import {
  environmentExists,
  gatherSettings,
  refuseName,
  refuseTaken,
  type SettingFlags,
} from './env-settings.ts';
import {
  inParallel,
  loadCatalogOnly,
  loadEnvironmentOnly,
  loadInputs,
  namesOf,
  readEach,
} from './environments.ts';
import { type ExitCode, exitCode, fail, orFail, refuse } from './exit-code.ts';
import { writeNewFile } from './outputs.ts';
import { newestHere, readStateOf } from './state.ts';

/**
 * `trove env list`: every environment of the catalog, and how it stands. Reads catalog and states only, and takes no lock. What
 * is wrong with one is in its row, and is no error of the list.
 */
export async function envList(
  context: CommandContext,
  { format }: { readonly format: 'text' | 'json' },
): Promise<void> {
  const [catalog, names] = await Promise.all([loadCatalogOnly(context), namesOf(context)]);
  const listed = await inParallel(names, (name) =>
    listedEnvironment(name, catalog.ok ? catalog.value : undefined, context),
  );
  context.print(format === 'json' ? renderEnvironmentListJson(listed) : renderEnvironmentList(listed));
  context.note(renderWhereToLook(listed, catalog.ok, context.catalogFolder));
}

async function listedEnvironment(
  name: string,
  catalog: Catalog | undefined,
  context: CommandContext,
): Promise<ListedEnvironment> {
  const listed = { name, target: null, recorded: null, blocked: null, trouble: null };
  const trouble = (of: 'file' | 'state' | 'plan', problems: readonly Diagnostic[]) => ({
    of,
    problems: explainProblems(problems, contextFor(name, context).flags),
  });
  const environment = await loadEnvironmentOnly(context, name);
  if (!environment.ok) return { ...listed, trouble: trouble('file', environment.diagnostics) };
  const target = targetOf(environment.value);
  const state = await readStateOf(environment.value, context);
  if (!state.ok) return { ...listed, target, trouble: trouble('state', state.diagnostics) };
  const known = { ...listed, target, recorded: countsOf(state.value) };
  if (!catalog) return known;
  const inputs = joinInputs(catalog, environment.value, { variables: context.io.env });
  if (!inputs.ok) return { ...known, trouble: trouble('plan', inputs.diagnostics) };
  const { summary } = makePlan({ ...inputs.value, state: state.value });
  return { ...known, blocked: summary.blocked };
}

function countsOf(state: State | undefined): RecordedCounts {
  const entries = entriesOf(state);
  const answered = entries.all('live');
  return {
    records: answered.length,
    retired: entries.all('retired').length,
    imported: entries.all('imported').length,
    unknown: entries.all('pending').length,
    lastApply:
      answered
        .map(({ at }) => at)
        .sort()
        .at(-1) ?? null,
  };
}

/** `trove env diff ONE OTHER`: what two teams have differently. Reads files only, and takes no lock. */
export async function envDiff(
  context: CommandContext,
  one: string,
  other: string,
  { format, exitCode: isTold }: { readonly format: 'text' | 'json'; readonly exitCode?: boolean },
): Promise<ExitCode> {
  if (one === other) refuse('same-environment', { environment: one });
  const sides = await readEach([one, other], context, readSide);
  const [first, second] = sides as readonly [Side, Side];
  const difference = compareEnvironments(first, second);
  const pair = [comparedOf(first), comparedOf(second)] as const;
  context.print(
    format === 'json'
      ? renderEnvironmentsDifferenceJson(difference, pair)
      : renderEnvironmentsDifference(difference, pair, context.color.stdout),
  );
  const differs = Object.values(difference).some((differences) => differences.length > 0);
  return differs && isTold ? exitCode.changes : exitCode.done;
}

async function readSide(context: CommandContext): Promise<Result<Side>> {
  const inputs = await loadInputs(context);
  if (!inputs.ok) return inputs;
  const state = await readStateOf(inputs.value.environment, context);
  return state.ok ? success({ ...inputs.value, state: state.value }) : state;
}

function comparedOf({ environment, state }: Side): ComparedEnvironment {
  return { environment: environment.name, target: targetOf(environment), hasState: state !== undefined };
}

/** `trove env add NAME`: writes the file of a new environment, once it is known to be valid and no other environment's. */
export async function envAdd(context: CommandContext, name: string, flags: SettingFlags): Promise<void> {
  const folder = context.catalogPath;
  const path = join(folder, 'environments', `${name}.yaml`);
  const shown = shownPath(path, context.io.cwd);
  await refuseName(name, folder, shown, context.io.cwd);
  const { catalog, from } = await loadSources(name, flags.from, context);
  const settings = await gatherSettings(name, flags, from, context);
  const text = from ? copyOf(from, settings) : templateFor(settings, catalog, path);
  const about = { name, folder, digest: '' };
  const environment = orFail(await readEnvironment(new SourceText(shown, text), about));
  await refuseTaken(environment, context);
  if (!(await writeNewFile(path, text, shown))) environmentExists(shown);
  const { service, credentials } = environment;
  const added = {
    file: shown,
    target: targetOf(environment),
    credentials: service.kind === 'remote' ? credentials : undefined,
    unbound: unboundAttributes(applyOverrides(catalog, environment).catalog, environment).length,
    copied: from ? environment.attributes.size : 0,
    flags: contextFor(name, context).flags,
  };
  context.print(renderAdded(added));
  context.note(renderNextSteps(added));
}

/** `trove env remove NAME`: removes the file of an environment. What it recorded, and its records, stay. */
export async function envRemove(
  context: CommandContext,
  name: string,
  { force = false }: { readonly force?: boolean },
): Promise<void> {
  const { cwd } = context.io;
  const path = orFail(await findEnvironment(name, context.catalogPath, cwd));
  if (path === undefined) return refuse('nothing-to-remove', { environment: name });
  const shown = shownPath(path, cwd);
  const environment = await loadEnvironmentOnly(context, name);
  const state = environment.ok ? await readStateOf(environment.value, context) : environment;
  const newest = environment.ok ? await newestHere(environment.value, context) : undefined;
  const isKnown = state.ok && (state.value !== undefined || newest === undefined);
  const records = isKnown ? recordedEntries(state.value).length : undefined;
  const beside = environment.ok ? filesOf(environment.value) : [];
  const isIdle = records === 0 && !beside.some((file) => /\.(?:journal|lock)$/.test(file));
  if (!isIdle && !force) refuse('environment-in-use', { environment: name, records }, { subject: shown });
  await unlink(path).catch((cause) => fail([unreadable(shown, cause)]));
  const isShared = environment.ok && environment.value.state.kind !== 'file' && state.ok && state.value;
  const shared = isShared ? [environment.value.state.path] : [];
  const files = [...shared, ...beside.map((file) => shownPath(file, cwd))];
  const target = environment.ok ? targetOf(environment.value) : undefined;
  context.print(renderRemoved({ file: shown, files, records, target }));
}

/** What a run of an environment leaves on this machine. */
function filesOf(environment: Environment): readonly string[] {
  const { kind, path } = environment.state;
  const state = kind === 'file' ? [path, `${path}.journal`, `${path}.lock`] : [];
  const all = [...state, environment.database];
  return all.filter((file) => existsSync(file));
}

async function loadSources(name: string, copied: string | undefined, context: CommandContext) {
  const [catalog, from] = await Promise.all([
    loadCatalogOnly(context),
    copied === undefined ? undefined : loadEnvironmentOnly(context, copied),
  ]);
  const problems = [catalog, from].flatMap((result) => (!result || result.ok ? [] : result.diagnostics));
  if (!catalog.ok || (from && !from.ok)) return fail(problems);
  if (from && !from.value.document) refuse('nothing-to-copy', { name });
  return { catalog: catalog.value, from: from?.value };
}

function copyOf(from: Environment, settings: TeamSettings): string {
  const file = from.document?.source.text ?? '';
  const text = copyEnvironment(file, from, settings, randomUUID(), copyNotes(from.name));
  return text ?? refuse('not-copied', { environment: from.name });
}

function templateFor(settings: TeamSettings, catalog: Catalog, path: string): string {
  const attributes = [...usedAttributes(catalog)].sort();
  // Where an editor finds the schema without the network: in the repository, or in an installed package.
  const schema = ['schemas', 'node_modules/trove/schemas']
    .map((folder) => resolve(dirname(path), '../..', folder, 'environment.schema.json'))
    .find((file) => existsSync(file));
  const fromFile = schema !== undefined && { schema: shownPath(schema, dirname(path)) };
  return environmentTemplate(settings, { ...fromFile, attributes });
}
