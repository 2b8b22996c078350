import { renderDiagnostics } from '../../src/render/diagnostics.ts';
import { type ExplainedDiagnostic, explainProblems } from '../../src/render/messages/explain-problem.ts';
import type { Diagnostic } from '../../src/text/diagnostic.ts';

/** Problems with the sentences that a person sees. */
export function inWords(problems: readonly Diagnostic[]): readonly ExplainedDiagnostic[] {
  return explainProblems(problems, '');
}

/** Problems as a terminal shows them. */
export function rendered(problems: readonly Diagnostic[]): string {
  return renderDiagnostics(inWords(problems), { color: false });
}
