import type { Diagnostic } from '../../text/diagnostic.ts';
import { type ExplainedDiagnostic, explainProblems } from './explain-problem.ts';

/** Problems of a file that should hold plans, or what an apply said. */
export function explainPlanFile(
  problems: readonly Diagnostic[],
  flags: string,
): readonly ExplainedDiagnostic[] {
  const hint = `make one: trove plan${flags} --out FILE`;
  return explainProblems(problems, flags).map((problem) => ({ hint, ...problem }));
}

/** Problems of an environment's file that a probe could not write into. */
export function explainUnwritten(
  problems: readonly Diagnostic[],
  flags: string,
): readonly ExplainedDiagnostic[] {
  return explainProblems(problems, flags).map((problem) => ({
    ...problem,
    message: `the findings were not written into the environment: ${problem.message}`,
  }));
}
