import { parseSavedPlans } from '../plan/saved-plan.ts';
import { renderAppliedText, renderApplyText } from '../render/apply-text.ts';
import type { AppliedEnvironment } from '../render/model.ts';
import { renderPlanText } from '../render/plan-text.ts';
import { escapeTerminal, harmless } from '../render/terminal.ts';
import { isEvents, readEvents } from './applying/read-events.ts';
import type { CommandContext } from './invocation/context.ts';
import { type ExitCode, exitCode } from './invocation/exit-code.ts';
import { type Formats, parseOutputs, writeOutputs } from './output/outputs.ts';
import { repositoryPath } from './output/repository-path.ts';
import { type PlanDocument, planFormats } from './planning/plan-formats.ts';
import { readTextFile } from './planning/read-plan-file.ts';

/** As `trove plan` writes them, but for the text, in which each plan is shown in full. */
const showFormats = {
  ...planFormats,
  text: ({ plans }, color) => plans.map((plan) => renderPlanText(plan, color)).join('\n'),
} satisfies Formats<PlanDocument>;

/** `trove show FILE`: the plans that a file holds, or what an apply told, from the file alone. */
export async function show(
  context: CommandContext,
  file: string,
  { format }: { readonly format?: readonly string[] },
): Promise<ExitCode> {
  const outputs = parseOutputs(format, showFormats);
  if (!outputs.ok) return refuse(context, outputs.diagnostics);
  const read = await readTextFile(file, context);
  if (!read.ok) return refuse(context, read.diagnostics);
  if (isEvents(read.value)) return showEvents(context, file, read.value, format);
  const saved = parseSavedPlans(read.value, file, context.flags);
  if (!saved.ok) return refuse(context, saved.diagnostics);
  const document = {
    plans: saved.value.map(({ plan }) => plan),
    failed: [],
    repositoryPath: repositoryPath(context.io),
    countsOf: () => undefined,
  };
  const written = await writeOutputs(outputs.value, showFormats, document, context);
  return written.ok ? exitCode.done : refuse(context, written.diagnostics);
}

/** What an apply did, as it said it at its end. */
const eventFormats = {
  text: (all, color) => {
    const [first] = all;
    if (all.length !== 1 || !first?.report || !first.reader) return renderAppliedText(all, color);
    return renderApplyText(first.report, color, first.reader, first.isUnfinished);
  },
} satisfies Formats<readonly AppliedEnvironment[]>;

async function showEvents(
  context: CommandContext,
  file: string,
  text: string,
  format: readonly string[] | undefined,
): Promise<ExitCode> {
  const outputs = parseOutputs(format, eventFormats);
  const told = outputs.ok ? readEvents(text, file, context) : outputs;
  if (!outputs.ok || !told.ok) return refuse(context, told.ok ? [] : told.diagnostics);
  const all = told.value;
  const written = await writeOutputs(outputs.value, eventFormats, all, context);
  for (const { problems } of all) context.complain(problems);
  for (const { environment } of all.filter(({ isUnfinished }) => isUnfinished))
    context.note(
      `${harmless(escapeTerminal(environment))}: the file ends before the apply does; it was killed, or it still runs.\n`,
    );
  return written.ok ? exitCode.done : refuse(context, written.diagnostics);
}

function refuse(context: CommandContext, diagnostics: Parameters<CommandContext['complain']>[0]): ExitCode {
  context.complain(diagnostics);
  return exitCode.error;
}
