import { type ExaminedCatalog, examineCatalog } from '../catalog/load.ts';
import { checkTogether } from '../environment/join-inputs.ts';
import { examineEnvironment } from '../environment/load.ts';
import { diagnosticAnnotations, renderAnnotations } from '../render/annotations.ts';
import { foundText, verdictText } from '../render/command-texts.ts';
import {
  type Checkout,
  renderDiagnosticsJson,
  renderGitlabReport,
  renderSarif,
} from '../render/diagnostic-reports.ts';
import { prose, renderProblemsMarkdown } from '../render/markdown.ts';
import { type ExplainedDiagnostic, explainProblems } from '../render/messages/explain-problem.ts';
import { MARKDOWN_LIMIT } from '../render/plan-markdown.ts';
import { escapeTerminal } from '../render/terminal.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import { limited } from '../text/problem-list.ts';
import { version } from '../version.ts';
import type { CommandContext } from './context.ts';
import { inParallel, namesOf } from './environments.ts';
import { type ExitCode, exitCode, failOn } from './exit-code.ts';
import { type Formats, parseOutputs, repositoryPath, writeOutputs } from './outputs.ts';

/** `trove validate`: everything that is wrong with the catalog and every environment, at once. */
export async function validate(
  context: CommandContext,
  { format }: { readonly format?: readonly string[] },
): Promise<ExitCode> {
  const outputs = parseOutputs(format, validateFormats);
  const { catalogPath: catalogFolder, environmentName, io } = context;
  const catalog = await examineCatalog(catalogFolder, { cwd: io.cwd });
  const found = await namesOf(context);
  const names = [...new Set([...found, environmentName])];
  const problems = limited([...catalog.problems, ...(await environmentProblems(names, catalog, context))]);
  const verdict = verdictText(catalog.catalog, names.length);
  const explained = explainProblems(problems, context.flags);
  const validated = { problems: explained, verdict, catalogFolder, repositoryPath: repositoryPath(io) };
  const written = await writeOutputs(outputs, validateFormats, validated, context);
  if (problems.length > 0) {
    context.reportErrors(explained);
    context.note(`\n${foundText(problems)}.\n`);
  }
  failOn(written);
  return problems.length > 0 ? exitCode.error : exitCode.done;
}

async function environmentProblems(
  names: readonly string[],
  catalog: ExaminedCatalog,
  { catalogPath: catalogFolder, io }: CommandContext,
): Promise<readonly Diagnostic[]> {
  const options = { catalogFolder, cwd: io.cwd };
  const examined = await inParallel(names, (name) => examineEnvironment(name, options));
  return [...examined.flatMap(({ problems }) => problems), ...checkTogether(catalog, examined)];
}

interface Validated extends Checkout {
  readonly problems: readonly ExplainedDiagnostic[];
  /** What is declared, where nothing is wrong with it. */
  readonly verdict: string;
}

/** What `trove validate` can write. As text, problems go to stderr like everywhere else. */
export const validateFormats = {
  text: ({ problems, verdict }) => (problems.length > 0 ? '' : `${escapeTerminal(verdict)}\n`),
  json: ({ problems }) => renderDiagnosticsJson(problems),
  markdown: ({ problems, verdict }) =>
    problems.length > 0
      ? renderProblemsMarkdown(foundText(problems), problems, MARKDOWN_LIMIT)
      : `${prose(verdict)}\n`,
  github: ({ problems, repositoryPath }) =>
    renderAnnotations(diagnosticAnnotations(problems), repositoryPath),
  gitlab: ({ problems, ...checkout }) => renderGitlabReport(problems, checkout),
  sarif: ({ problems, ...checkout }) => renderSarif(problems, checkout, version),
} satisfies Formats<Validated>;
