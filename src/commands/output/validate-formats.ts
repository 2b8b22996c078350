import { diagnosticAnnotations, renderAnnotations } from '../../render/annotations.ts';
import {
  type Checkout,
  renderDiagnosticsJson,
  renderGitlabReport,
  renderSarif,
} from '../../render/diagnostic-reports.ts';
import { prose, renderProblemsMarkdown } from '../../render/markdown.ts';
import { MARKDOWN_LIMIT } from '../../render/plan-markdown.ts';
import { escapeTerminal } from '../../render/terminal.ts';
import type { Diagnostic } from '../../text/diagnostic.ts';
import { pluralize as counted } from '../../text/pluralize.ts';
import { countOf } from '../../text/problem-list.ts';
import { version } from '../../version.ts';
import type { Formats } from './outputs.ts';

export interface Validated extends Checkout {
  readonly problems: readonly Diagnostic[];
  /** What is declared, where nothing is wrong with it. */
  readonly verdict: string;
}

/** What `trove validate` can write. As text, problems go to stderr like everywhere else. */
export const validateFormats = {
  text: ({ problems, verdict }) => (problems.length > 0 ? '' : `${escapeTerminal(verdict)}\n`),
  json: ({ problems }) => renderDiagnosticsJson(problems),
  markdown: ({ problems, verdict }) =>
    problems.length > 0
      ? renderProblemsMarkdown(`${counted(countOf(problems), 'problem')} found`, problems, MARKDOWN_LIMIT)
      : `${prose(verdict)}\n`,
  github: ({ problems, repositoryPath }) =>
    renderAnnotations(diagnosticAnnotations(problems), repositoryPath),
  gitlab: ({ problems, ...checkout }) => renderGitlabReport(problems, checkout),
  sarif: ({ problems, ...checkout }) => renderSarif(problems, checkout, version),
} satisfies Formats<Validated>;
