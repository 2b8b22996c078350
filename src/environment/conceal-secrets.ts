import type { Diagnostic } from '../text/diagnostic.ts';
import type { Location, SourceText } from '../text/source.ts';

/** A line on which somebody may have written a secret: below `credentials`, or in a URL before its host. */
const SUSPICIOUS = /credential|password|passwd|secret|token|:\/\/[^/\s]*@/i;

/** Keeps the text of such lines of an environment's file out of messages, which end up in the logs of pipelines. */
export function concealSecrets(
  diagnostics: readonly Diagnostic[],
  source: SourceText | undefined,
): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => {
    const { location, related = [] } = diagnostic;
    const places = [...(location ? [location] : []), ...related.map((other) => other.location)];
    const isConcealed = places.some((place) => place.source === source && isSuspicious(place));
    return isConcealed ? { ...diagnostic, concealed: true } : diagnostic;
  });
}

function isSuspicious({ source, start }: Location): boolean {
  return SUSPICIOUS.test(source.line(source.positionAt(start).line));
}
