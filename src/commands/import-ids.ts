import type { Inputs } from '../environment/join-inputs.ts';
import { targetOf } from '../plan/make-plan.ts';
import { pendingMoves } from '../plan/moves.ts';
import { renderImported } from '../render/state-text.ts';
import { fold } from '../state/draft.ts';
import type { StateEvent } from '../state/event.ts';
import { checkImport, type ImportPlan } from '../state/import/check-import.ts';
import type { NamedIds } from '../state/import/import-file.ts';
import { recordedIds } from '../state/import/recorded-ids.ts';
import { isUntouched, newState, type State } from '../state/model.ts';
import type { Session } from '../state/session.ts';
import type { Diagnostic, Result } from '../text/diagnostic.ts';
import { quotedForShell } from '../text/quoted.ts';
import { askFirst, unasked } from './asking/ask-first.ts';
import { hasTerminal } from './asking/questions.ts';
import { namedIds, noIds } from './import-ids/named-ids.ts';
import type { ImportOptions } from './import-ids/options.ts';
import { preview, printJson } from './import-ids/tell.ts';
import type { CommandContext } from './invocation/context.ts';
import { type ExitCode, exitCode } from './invocation/exit-code.ts';
import { loadInputs } from './invocation/inputs.ts';
import { readStateOf } from './recording/read-state.ts';
import { recordAndSave } from './recording/record-and-save.ts';
import { withStateOf } from './recording/with-state.ts';

/** `trove import ADDRESS ID | --file FILE`: records ids that exist in the service and that Trove did not make. */
export async function importIds(
  context: CommandContext,
  address: string | undefined,
  id: string | undefined,
  options: ImportOptions,
): Promise<ExitCode> {
  const named = await namedIds(context, address, id, options);
  if (!named) return refuse(context, [noIds(context)]);
  const inputs = await loadInputs(context);
  if (!inputs.ok) return refuse(context, [...named.problems, ...inputs.diagnostics]);
  if (options.dryRun) return tryOut(context, inputs.value, named, options);
  const { environment } = inputs.value;
  const create = options.newEnvironment === true || environment.service.kind === 'embedded';
  const whenMissing = `if it was applied before, put its state back first; if the state is lost for good, first: trove apply${context.flags} --recover; if Trove never applied there, add --new-environment`;
  return withStateOf(environment, { operation: 'import', create, whenMissing }, context, (session) =>
    importLocked(context, inputs.value, session, named, options),
  );
}

async function tryOut(
  context: CommandContext,
  inputs: Inputs,
  named: NamedIds,
  options: ImportOptions,
): Promise<ExitCode> {
  const state = await readStateOf(inputs.environment);
  const plan = state.ok ? planImport(context, inputs, state.value, named) : state;
  if (!plan.ok) return refuse(context, plan.diagnostics);
  preview(context, inputs, plan.value, options);
  if (options.format === 'json') printJson(context, inputs, plan.value, false);
  else context.note('\nA dry run: nothing was recorded.\n');
  return exitCode.done;
}

async function importLocked(
  context: CommandContext,
  inputs: Inputs,
  session: Session,
  named: NamedIds,
  options: ImportOptions,
): Promise<ExitCode> {
  const plan = planImport(context, inputs, session.state, named);
  if (!plan.ok) return refuse(context, plan.diagnostics);
  const events = [...beginning(context, session.state), ...plan.value.events];
  preview(context, inputs, plan.value, options);
  const agreed = await agree(context, plan.value, options);
  if (agreed !== undefined) return agreed;
  const saved = await recordAndSave(session, events);
  if (!saved.ok) return refuse(context, saved.diagnostics);
  if (options.format === 'json') printJson(context, inputs, plan.value, true);
  else if (events.length > 0) context.print(`\n${renderImported(plan.value, inputs.environment.name)}`);
  return exitCode.done;
}

/** A state that begins with ids says nothing of what else the team has. */
function beginning({ io }: CommandContext, state: State): readonly StateEvent[] {
  if (!isUntouched(state)) return [];
  return [{ type: 'partial', at: io.now().toISOString(), by: 'import' }];
}

/** Addresses are those that the next apply will use: what `moved` renames counts as renamed. */
function planImport(
  { flags, io }: CommandContext,
  { catalog, environment }: Inputs,
  found: State | undefined,
  named: NamedIds,
): Result<ImportPlan> {
  const state = found ?? newState({ lineage: '', target: targetOf(environment) });
  const known = recordedIds(fold(state, pendingMoves(catalog, state)));
  return checkImport(named, { catalog, known, flags }, io.now().toISOString());
}

/** Undefined: go on. One id that was typed needs no second word, and neither does what is known already. */
async function agree(
  context: CommandContext,
  { rows }: ImportPlan,
  { file, yes }: ImportOptions,
): Promise<ExitCode | undefined> {
  const fresh = rows.filter(({ outcome }) => outcome === 'import').length;
  if (yes || file === undefined || fresh === 0 || (fresh === 1 && hasTerminal(context))) return undefined;
  const hint = `look at the ids first: trove import${context.flags} --dry-run --file ${quotedForShell(file)}, then the same with --yes`;
  const otherwise = 'Nothing was recorded.';
  return askFirst(context, {
    question: '\nRecord these ids?',
    otherwise,
    refusal: unasked(otherwise, hint),
  });
}

function refuse(context: CommandContext, diagnostics: readonly Diagnostic[]): ExitCode {
  context.complain(diagnostics);
  return exitCode.error;
}
