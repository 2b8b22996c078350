import type { Diagnostic } from '../text/diagnostic.ts';

/** A line on which somebody may have written a secret: below `credentials`, or in a URL before its host. */
const SUSPICIOUS = /credential|password|passwd|secret|token|:\/\/[^/\s]*@/i;

/** Keeps the text of such lines out of messages, which end up in the logs of pipelines. */
export function concealSecrets(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => {
    const { location } = diagnostic;
    if (!location) return diagnostic;
    const { line } = location.source.positionAt(location.start);
    return SUSPICIOUS.test(location.source.line(line)) ? { ...diagnostic, concealed: true } : diagnostic;
  });
}
