import { existsSync } from 'node:fs';
import { shownPath } from '../catalog/find.ts';
import { kindOf } from '../catalog/model.ts';
import { isRecordId } from '../contract/api.ts';
import { sharedTeams } from '../environment/join-inputs.ts';
import type { Environment } from '../environment/model.ts';
import type { Surroundings } from '../plan/guards.ts';
import { targetOf } from '../plan/make-plan.ts';
import type { OtherIds } from '../render/messages/sentences.ts';
import { type Entries, recordedEntries } from '../state/entries.ts';
import { strayIds } from '../state/entry.ts';
import { FileStore, type NewestVersion, newestVersion, noteVersion } from '../state/file/store.ts';
import type { State, StateEntry } from '../state/model.ts';
import { type Replayed, readRecorded } from '../state/replay.ts';
import { SharedStore } from '../state/shared/store.ts';
import type { StateStore } from '../state/store.ts';
import { assertTarget } from '../state/version.ts';
import { type Diagnostic, error, failure, type Problems, type Result, success } from '../text/diagnostic.ts';
import { type CommandContext, leadsOutOfCatalog } from './context.ts';
import { inParallel, loadEnvironmentOnly, namesOf } from './environments.ts';
import { refuse } from './exit-code.ts';
import { engineOf } from './state-engine.ts';

interface ReadState {
  readonly environment: Environment;
  /** With what an interrupted run left in its journal; undefined where nothing was ever recorded. */
  readonly state: State | undefined;
}

/** The chosen environment and its state, without its lock, since nothing is changed. */
export async function readState(context: CommandContext): Promise<Result<ReadState>> {
  const environment = await loadEnvironmentOnly(context);
  if (!environment.ok) return environment;
  const state = await readStateOf(environment.value, context);
  return state.ok ? success({ environment: environment.value, state: state.value }) : state;
}

/** The same for an environment that is loaded already. */
export async function readStateOf(
  environment: Environment,
  context: CommandContext,
): Promise<Result<State | undefined>> {
  const recorded = await readRecordedOf(environment, context);
  return recorded.ok ? success(recorded.value?.state) : recorded;
}

/** The state with what its journal adds. A state of another target is refused. */
export async function readRecordedOf(
  environment: Environment,
  context: CommandContext,
): Promise<Result<Replayed | undefined>> {
  const recorded = await readRecorded(stateStore(environment, context));
  const foreign = recorded.ok && recorded.value && assertTarget(recorded.value.state, targetOf(environment));
  return foreign ? failure({ ...foreign, subject: environment.state.path }) : recorded;
}

/** The problem of a command that has nothing to do without a state. */
export function noState({ name, state }: Environment): Diagnostic {
  return error('no-state', { environment: name }, { subject: state.path });
}

export function stateStore(environment: Environment, context: CommandContext): StateStore {
  const { state, catalogFolder, service, credentials } = environment;
  // Embedded services are one for each environment, and all look the same.
  const target = service.kind === 'remote' ? targetOf(environment) : undefined;
  if (state.kind === 'file')
    return new FileStore({ path: state.path, within: { path: catalogFolder, called: 'catalog' }, target });
  const { [credentials.usernameFrom]: _, [credentials.passwordFrom]: __, ...env } = context.io.env;
  const engine = engineOf(state, { catalogFolder, env, repositories: context.repositories });
  return new SharedStore({ ...state, engine, target, runUrl: runUrlOf(env) });
}

/** The log of the job, in a pipeline. */
function runUrlOf({ CI_JOB_URL, GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID }: NodeJS.ProcessEnv) {
  if (GITHUB_RUN_ID === undefined) return CI_JOB_URL;
  return `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`;
}

/** The place of a state as people in a folder name it. */
export function shownState({ state }: Environment, folder: string): string {
  return state.kind === 'file' ? shownPath(state.path, folder) : state.path;
}

/** What this machine and the catalog have about an environment beyond its state. */
export async function surroundingsOf(
  environment: Environment,
  context: CommandContext,
): Promise<Surroundings> {
  const isEmbedded = environment.service.kind === 'embedded';
  return {
    newest: await newestHere(environment, context),
    sharedTeams: (await sharedBeginning(environment, context)).map(
      ({ values }) => values as Problems['shared-team'],
    ),
    isEphemeral: context.io.env.TROVE_EPHEMERAL === 'true',
    ...(isEmbedded && { hasDatabase: existsSync(environment.database) }),
  };
}

/**
 * Why a state may not begin: another environment is the same team, and its records would be made a second time. One
 * whose file is not valid is left out here.
 */
export async function sharedBeginning(
  environment: Environment,
  context: CommandContext,
): Promise<readonly Diagnostic[]> {
  if (environment.service.kind === 'embedded') return [];
  const names = await namesOf(context);
  const loaded = await inParallel(names, (name) => loadEnvironmentOnly(context, name));
  return sharedTeams(
    loaded.flatMap((each) => (each.ok && isSameTeam(each.value, environment) ? [each.value] : [])),
  );
}

export function isSameTeam(one: Environment, other: Environment): boolean {
  const [first, second] = [targetOf(one), targetOf(other)];
  return first.baseUrl === second.baseUrl && first.teamId === second.teamId;
}

/** The newest version of the state of an environment that this machine has had, as far as it knows. */
export async function newestHere(
  { newestVersionPath }: Environment,
  context: CommandContext,
): Promise<NewestVersion | undefined> {
  const stray = await leadsOutOfCatalog(newestVersionPath, context);
  return stray ? undefined : newestVersion(newestVersionPath);
}

/** Notes that this machine has had a version, unless a newer one is noted. */
export async function noteHere(
  { newestVersionPath }: Environment,
  state: State,
  context: CommandContext,
): Promise<void> {
  if (await leadsOutOfCatalog(newestVersionPath, context)) return;
  await noteVersion(newestVersionPath, state);
}

/** What the state has of an address; without anything the command ends with the nearest that it has. */
export function recordedAt(address: string, state: State): readonly [StateEntry, ...StateEntry[]] {
  const all = recordedEntries(state);
  const [first, ...others] = all.filter((entry) => entry.address === address);
  if (first) return [first, ...others];
  const known = all.map((entry) => entry.address);
  return refuse('unknown-address', { address, known }, { subject: address });
}

/** IDs in responses to what was taken away, which nothing names now. */
export function lostWith(taken: readonly [StateEntry, ...StateEntry[]], entries: Entries): OtherIds {
  const [{ address }] = taken;
  const kind = kindOf(address);
  const ids = taken.flatMap(strayIds).filter((id) => isRecordId(id) && entries.naming(kind, id).size === 0);
  const isUnsettled = ids.length > 0 && entries.all('pending').some((each) => kindOf(each.address) === kind);
  return { address, ids, isUnsettled };
}

/** A command was pasted with the ID still to be filled in. A file of IDs can still contain this one. */
export function refusePlaceholder(id: string): void {
  if (/^(?:ID|<ID>)$/.test(id)) refuse('unusable-id', { isPlaceholder: true }, { subject: id });
}
