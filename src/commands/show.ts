import { renderPlanText } from '../render/plan-text.ts';
import type { CommandContext } from './context.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { type Formats, parseOutputs, writeOutputs } from './outputs.ts';
import { type PlanDocument, planFormats } from './plan-formats.ts';
import { readPlanFile } from './read-plan-file.ts';
import { repositoryPath } from './repository-path.ts';

/** As `trove plan` writes them, but for the text, in which each plan is shown in full. */
const showFormats = {
  ...planFormats,
  text: ({ plans }, color) => plans.map((plan) => renderPlanText(plan, color)).join('\n'),
} satisfies Formats<PlanDocument>;

/** `trove show PLANFILE`: the saved plan or plans, from the file alone. */
export async function show(
  context: CommandContext,
  file: string,
  { format }: { readonly format?: readonly string[] },
): Promise<ExitCode> {
  const outputs = parseOutputs(format, showFormats);
  const saved = outputs.ok ? await readPlanFile(file, context) : outputs;
  if (!outputs.ok || !saved.ok) return refuse(context, saved.ok ? [] : saved.diagnostics);
  const document = {
    plans: saved.value.map(({ plan }) => plan),
    failed: [],
    objections: [],
    repositoryPath: repositoryPath(context.io),
  };
  const written = await writeOutputs(outputs.value, showFormats, document, context);
  return written.ok ? exitCode.done : refuse(context, written.diagnostics);
}

function refuse(context: CommandContext, diagnostics: Parameters<CommandContext['complain']>[0]): ExitCode {
  context.complain(diagnostics);
  return exitCode.error;
}
