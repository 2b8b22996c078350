import type { Diagnostic } from './diagnostic.ts';

/** By file, then by place in it; what has no place comes first in its file, and otherwise keeps its order. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.toSorted((one, other) => {
    const [file, otherFile] = [fileOf(one), fileOf(other)];
    if (file !== otherFile) return file < otherFile ? -1 : 1;
    return (one.location?.start ?? -1) - (other.location?.start ?? -1);
  });
}

function fileOf({ location, subject }: Diagnostic): string {
  return location?.source.path ?? subject ?? '';
}
