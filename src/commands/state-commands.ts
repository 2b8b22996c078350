import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { type Address, isReservedKey, keyOf, kindOf, PROBE_KEY, parseAddress } from '../catalog/model.ts';
import { applyOverrides } from '../environment/apply-overrides.ts';
import { clientIds } from '../plan/client-id.ts';
import { targetOf } from '../plan/make-plan.ts';
import { namesFrom } from '../plan/names.ts';
import { askToForget, askToUnlock } from '../render/questions.ts';
import { renderStateShow } from '../render/state-show-text.ts';
import {
  nothingRecordedText,
  renderForgetting,
  renderForgotten,
  renderMoved,
  renderPushed,
  renderStateList,
  renderUnlocked,
  sameStateText,
} from '../render/state-text.ts';
import { renderJson } from '../render/terminal.ts';
import { isDeclared, kinds } from '../resources/registry.ts';
import { entriesOf, recordedEntries } from '../state/entries.ts';
import { isInDoubt, standingOf } from '../state/entry.ts';
import { FileStore, type NewestVersion } from '../state/file/store.ts';
import { formatState } from '../state/format.ts';
import { currentOwner } from '../state/lock-owner.ts';
import type { ResourceRecord, State, Target } from '../state/model.ts';
import type { StateStore } from '../state/store.ts';
import {
  assertTarget,
  digestOf,
  isOlder,
  type ReplacementRisks,
  replacementRisks,
  type SavedVersion,
  withOpen,
} from '../state/version.ts';
import { type Diagnostic, error, type Problems } from '../text/diagnostic.ts';
import { limited } from '../text/problem-list.ts';
import { unreadable } from '../text/read-file.ts';
import { version } from '../version.ts';
import { type CommandContext, workingFolder } from './context.ts';
import { loadCatalogOnly, loadEnvironmentOnly } from './environments.ts';
import { type ExitCode, exitCode, fail, orFail, refuse } from './exit-code.ts';
import { recordAndSave, withState, withStateOf } from './locked-state.ts';
import { askFirst, hasTerminal } from './prompt.ts';
import { lostWith, newestHere, noState, readRecordedOf, readState, recordedAt, stateStore } from './state.ts';

/** `trove state list`: everything that is recorded, sorted by address. Takes no lock. */
export async function stateList(
  context: CommandContext,
  { format }: { readonly format: 'text' | 'json' },
): Promise<void> {
  const { environment, state } = orFail(await readState(context));
  const entries = recordedEntries(state);
  if (!state) context.note(nothingRecordedText(environment.name));
  const rows = entries.map((entry) => ({
    address: entry.address,
    status: standingOf(entry),
    ...(entry.status !== 'live' && isInDoubt(entry) && { unconfirmed: true }),
    id: entry.status === 'pending' ? null : entry.id,
    at: entry.status === 'retired' ? entry.retiredAt : entry.at,
  }));
  if (format === 'json') context.print(renderJson(rows));
  else if (state) context.print(renderStateList(rows, environment.name));
}

/** `trove state show ADDRESS`: show what is recorded for one address. Takes no lock, and needs no valid catalog. */
export async function stateShow(
  context: CommandContext,
  address: string,
  { format }: { readonly format: 'text' | 'json' },
): Promise<void> {
  const { environment, state } = orFail(await readState(context));
  if (!state) return fail([noState(environment)]);
  const entries = recordedAt(address, state);
  if (format === 'json') {
    const shown = entries.map((entry) => ({ ...entry, status: standingOf(entry) }));
    context.print(renderJson({ address, entries: shown }));
    return;
  }
  const names = namesFrom({
    catalog: { classifiers: new Map() },
    entries: entriesOf(state),
    attributeIds: environment.attributes,
  });
  const fieldsOf = ({ answer, options }: ResourceRecord) =>
    kinds[kindOf(address as Address)].answered(answer, names, options).values;
  const { settlesAgain } = clientIds(environment, state);
  context.print(renderStateShow(entries, fieldsOf, settlesAgain, context));
}

/** `trove state pull`: prints the state, with what an interrupted run left in its journal. Takes no lock. */
export async function statePull(context: CommandContext): Promise<void> {
  const environment = orFail(await loadEnvironmentOnly(context));
  const recorded = orFail(await readRecordedOf(environment, context));
  if (!recorded) return fail([noState(environment)]);
  const { state, events } = recorded;
  // With what its journal has, it is another version than the one that is stored, if one is: a file has no serial 0.
  const revision = digestOf(JSON.stringify(events)).slice(0, 12);
  const revisions = events.length > 0 && { revisions: [revision, ...(state.revisions ?? [])] };
  context.print(formatState({ ...state, serial: Math.max(state.serial, 1), ...revisions }));
}

/** `trove state mv FROM TO`: what is recorded under one address is recorded under another from now on. */
export async function stateMove(context: CommandContext, from: string, to: string): Promise<ExitCode> {
  return withState(context, 'state mv', async (session) => {
    checkMove(from, to, session.state);
    const move = { from: from as Address, to: to as Address };
    orFail(await recordAndSave(session, [{ type: 'moved', ...move }]));
    const isInCatalog = await declaredInCatalog(context);
    const declared = { from: isInCatalog(from), to: isInCatalog(to) };
    context.print(renderMoved({ ...move, declared, flags: context.flags }));
  });
}

function checkMove(from: string, to: string, state: State): void {
  const here = recordedAt(from, state);
  const target = parseAddress(to);
  if (!target || target.option !== undefined) refuse('not-an-address', { address: to }, { subject: to });
  if (kindOf(from as Address) !== kindOf(to as Address)) refuse('other-kind', { from, to });
  const key = keyOf(to);
  if (isReservedKey(key)) refuse('reserved-key', { key, prefix: PROBE_KEY }, { subject: to });
  // A retired record there is only an older one of the same address, unless both are.
  const isLive = here.some(({ status }) => status !== 'retired');
  const there = recordedEntries(state).filter(({ address }) => address === to);
  if (there.every(({ status }) => status === 'retired' && isLive)) return;
  refuse('address-taken', { from, to }, { subject: to });
}

/** `trove state forget ADDRESS`: the one command that loses ids on purpose, so it prints them first. */
export async function stateForget(
  context: CommandContext,
  wanted: string,
  { yes }: { readonly yes?: boolean },
): Promise<ExitCode> {
  return withState(context, 'state forget', async (session) => {
    const entries = recordedAt(wanted, session.state);
    const [first] = entries;
    const { address } = first;
    if (entries.some(({ status }) => status === 'pending'))
      refuse('pending-create', { address, wanted: 'forget' }, { subject: address });
    const declared = (await declaredInCatalog(context))(address);
    context.print(renderForgetting(address, entries, declared));
    await askFirst(context, { ...askToForget(address, context.flags), yes });
    const at = context.io.now().toISOString();
    orFail(await recordAndSave(session, [{ type: 'forgotten', address, at }]));
    const others = lostWith(entries, session.entries);
    context.print(renderForgotten(first, others, declared, context.flags));
  });
}

/** Whether the environment declares an address; `undefined` throughout where its catalog is not valid now. */
async function declaredInCatalog(context: CommandContext): Promise<(address: string) => boolean | undefined> {
  const loaded = await loadCatalogOnly(context);
  const environment = await loadEnvironmentOnly(context);
  if (!loaded.ok || !environment.ok) return () => undefined;
  const { catalog, problems } = applyOverrides(loaded.value, environment.value);
  if (problems.length > 0) return () => undefined;
  return (address) => isDeclared(catalog, address as Address);
}

/**
 * `trove state push FILE`: replaces the state by a file, or puts it back where none is, or where the state was replaced
 * beside a journal that continues the file.
 */
export async function statePush(
  context: CommandContext,
  file: string,
  { force = false }: { readonly force?: boolean },
): Promise<ExitCode> {
  const environment = orFail(await loadEnvironmentOnly(context));
  const initial = await readStateFile(file, targetOf(environment), context);
  const newest = await newestHere(environment, context);
  const beginning = { operation: 'state push', create: true, initial, takesOlder: true };
  return withStateOf(environment, beginning, context, async (session) => {
    const replacement = session.restored ?? initial;
    const isSame = !session.isNew && formatState(session.state) === formatState(replacement);
    if (isSame && !isOlder(replacement, newest)) {
      context.print(sameStateText);
      return;
    }
    const risks = replacementRisks(session.state, replacement);
    const objections = objectionsTo(risks, session.state, replacement, newest);
    if (objections.length > 0 && !force) fail(objections.map((each) => ({ ...each, subject: file })));
    const at = context.io.now().toISOString();
    const entries = objections.length > 0 ? withOpen(session.state, replacement, at) : replacement.entries;
    const saved = orFail(await session.save({ ...replacement, entries }));
    context.print(renderPushed(saved, replacementRisks(session.state, saved), context.flags));
  });
}

/** A file of another target is refused whatever a person says: its ids mean nothing here. */
async function readStateFile(file: string, target: Target, { io }: CommandContext): Promise<State> {
  const read = await new FileStore({ path: resolve(io.cwd, file), within: workingFolder(io) }).read();
  if (!read.ok) return fail(read.diagnostics.map((problem) => ({ ...problem, subject: file })));
  if (!read.value) return fail([unreadable(file, { code: 'ENOENT' })]);
  const foreign = assertTarget(read.value, target);
  return foreign ? fail([{ ...foreign, subject: file }]) : read.value;
}

function objectionsTo(
  { otherLineage, lowerSerial, lost }: ReplacementRisks,
  recorded: State,
  replacement: State,
  newest: NewestVersion | undefined,
): readonly Diagnostic[] {
  const { serial } = replacement;
  const older = (than: 'recorded' | 'newest', version: SavedVersion) =>
    error('older-state', { than, serial, newest: version.serial });
  // If the state itself is newer too, that is reported instead.
  const isOld = newest && !lowerSerial && isOlder(replacement, newest);
  return [
    ...(isOld ? [older('newest', newest)] : []),
    ...(otherLineage ? [error('other-lineage', {})] : []),
    ...(lowerSerial ? [older('recorded', recorded)] : []),
    ...limited(lost.map((loss) => error('lost-id', loss))),
  ];
}

/**
 * `trove state unlock`: removes a lock that a run left behind; with `--force` also that of a run which may still be going
 * on, after asking where it surely is.
 */
export async function stateUnlock(
  context: CommandContext,
  { force = false, yes = false }: { readonly force?: boolean; readonly yes?: boolean },
): Promise<void> {
  const environment = orFail(await loadEnvironmentOnly(context));
  const store = stateStore(environment, context);
  const found = orFail(await store.lock.inspect());
  if (found.kind === 'free') return context.print(renderUnlocked(undefined));
  const { owner } = found;
  const isAlive = found.standing === 'alive';
  if (found.standing !== 'gone' && !force) refuseLocked(store, { why: 'running', isAlive, owner });
  if (isAlive && !yes) {
    if (!hasTerminal(context)) refuseLocked(store, { why: 'alive', owner });
    const { warning, ...asking } = askToUnlock(owner, context.flags);
    context.note(warning);
    await askFirst(context, asking);
  }
  const since = context.io.now().toISOString();
  const by = await currentOwner({ id: randomUUID(), operation: 'state unlock', since, version });
  const outcome = orFail(await store.lock.remove(by, found.owner, force));
  if (outcome.kind === 'held') refuseLocked(store, { why: 'taken', owner: outcome.owner });
  if (outcome.kind === 'busy')
    refuseLocked(store, {
      why: 'stepping',
      isAlive: outcome.standing === 'alive',
      owner: outcome.owner,
    });
  context.print(renderUnlocked(outcome.kind === 'removed' ? found : undefined));
}

function refuseLocked({ path }: StateStore, locked: Problems['locked']): never {
  return refuse('locked', locked, { subject: path }, exitCode.locked);
}
