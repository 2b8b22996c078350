import { resolve } from 'node:path';
import type { Inputs } from '../environment/join-inputs.ts';
import type { Environment } from '../environment/model.ts';
import { targetOf } from '../plan/make-plan.ts';
import { pendingMoves } from '../plan/moves.ts';
import { importCommand } from '../render/messages/sentences.ts';
import { askToImport } from '../render/questions.ts';
import { dryRunText, renderImported, renderImportPreview } from '../render/state-text.ts';
import { renderJson } from '../render/terminal.ts';
import { quotedForShell } from '../render/words.ts';
import { checkImport, type ImportPlan } from '../state/import/check-import.ts';
import { type NamedIds, readImportFile } from '../state/import/import-file.ts';
import { isUntouched, newState, type State } from '../state/model.ts';
import { type CommandContext, workingFolder } from './context.ts';
import { loadInputs } from './environments.ts';
import { type ExitCode, exitCode, fail, orFail, refuse } from './exit-code.ts';
import { recordAndSave, withStateOf } from './locked-state.ts';
import { askFirst, hasTerminal } from './prompt.ts';
import { readStateOf, refusePlaceholder } from './state.ts';

interface ImportOptions {
  readonly file?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly newEnvironment?: boolean;
  readonly format: 'text' | 'json';
}

/** `trove import ADDRESS ID | --file FILE`: records ids that exist in the service and that Trove did not make. */
export async function importIds(
  context: CommandContext,
  address: string | undefined,
  id: string | undefined,
  options: ImportOptions,
): Promise<ExitCode> {
  const named = await namedIds(context, address, id, options);
  const inputs = await loadInputs(context);
  if (!inputs.ok) return fail([...named.problems, ...inputs.diagnostics]);
  const { environment } = inputs.value;
  const { dryRun, format, newEnvironment } = options;
  if (dryRun) {
    const plan = planImport(context, inputs.value, orFail(await readStateOf(environment, context)), named);
    report(context, environment, plan, options, false);
    if (format !== 'json') context.note(dryRunText);
    return exitCode.done;
  }
  const create = newEnvironment === true || environment.service.kind === 'embedded';
  const begin = importing(address, id, options, `${context.flags} --new-environment`);
  const opening = { operation: 'import', create, begin };
  return withStateOf(environment, opening, context, async (session) => {
    const plan = planImport(context, inputs.value, session.state, named);
    // A state that begins with ids says nothing of what else the team has.
    const partial = { type: 'partial', at: context.io.now().toISOString(), by: 'import' } as const;
    const events = [...(isUntouched(session.state) ? [partial] : []), ...plan.events];
    if (format !== 'json') report(context, environment, plan, options, false);
    await confirmImport(context, plan, options);
    orFail(await recordAndSave(session, events));
    if (format === 'json') report(context, environment, plan, options, true);
    else if (events.length > 0) context.print(`\n${renderImported(plan, environment.name)}`);
  });
}

function planImport(
  { io }: CommandContext,
  { catalog, environment }: Inputs,
  found: State | undefined,
  named: NamedIds,
): ImportPlan {
  const state = found ?? newState({ lineage: '', target: targetOf(environment) });
  const moves = pendingMoves(catalog, state);
  return orFail(checkImport(named, { catalog, state, moves }, io.now().toISOString()));
}

/** One id that was typed needs no second word, and neither does what is known already. */
async function confirmImport(
  context: CommandContext,
  { rows }: ImportPlan,
  { file, yes }: ImportOptions,
): Promise<void> {
  const fresh = rows.filter(({ outcome }) => outcome === 'import').length;
  if (file === undefined || fresh === 0 || (fresh === 1 && hasTerminal(context))) return;
  await askFirst(context, { ...askToImport(file, context.flags), yes });
}

/** Of the one pair or file that is named. */
async function namedIds(
  { io }: CommandContext,
  address: string | undefined,
  id: string | undefined,
  { file }: ImportOptions,
): Promise<NamedIds> {
  if (file !== undefined && address === undefined)
    return readImportFile(resolve(io.cwd, file), file, workingFolder(io));
  if (file === undefined && address !== undefined && id !== undefined) {
    refusePlaceholder(id);
    const place = (part: string) => ({ subject: part === 'id' ? id : address });
    return { ids: [{ address, id, place }], problems: [] };
  }
  return refuse('no-ids', {});
}

/** The command with these flags. */
function importing(address = '', id = '', { file }: ImportOptions, flags: string): string {
  return file === undefined
    ? importCommand(address, id, flags)
    : `trove import${flags} --file ${quotedForShell(file)}`;
}

/** What would be recorded, for people; for programs, once it is known whether it was. */
function report(
  context: CommandContext,
  environment: Environment,
  plan: ImportPlan,
  { format }: ImportOptions,
  recorded: boolean,
): void {
  const about = { environment: environment.name, target: targetOf(environment) };
  context.print(
    format === 'json'
      ? renderJson({ ...about, recorded, ids: plan.rows })
      : renderImportPreview(plan, about, context.color.stdout),
  );
}
