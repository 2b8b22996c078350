import { createHash } from 'node:crypto';
import type { Location } from '../text/source.ts';
import type { ExplainedDiagnostic } from './messages/explain-problem.ts';
import { escapeTerminal, renderJson } from './terminal.ts';

/** What becomes of a problem in a document about several environments. */
export function problemJson({ rule, message, hint }: ExplainedDiagnostic) {
  return { rule, message, ...(hint !== undefined && { hint }) };
}

/** For programs: each problem with its place, as far as it has one. */
export function renderDiagnosticsJson(diagnostics: readonly ExplainedDiagnostic[]): string {
  const all = diagnostics.map(
    ({ rule, severity, message, hint = null, location, subject = null, related = [] }) => ({
      rule,
      severity,
      message,
      hint,
      ...(location ? placeOf(location) : { file: subject, line: null, column: null }),
      related: related.map((other) => ({ message: other.message, ...placeOf(other.location) })),
    }),
  );
  return renderJson(all);
}

/** A path as the repository knows it; undefined for what is not in it. */
export type RepositoryPath = (path: string) => string | undefined;

/** Where problems are reported to a program that wants a file for each. */
export interface Checkout {
  readonly repositoryPath: RepositoryPath;
  /** Stands in for the file of a problem that has none. */
  readonly catalogFolder: string;
}

/** GitLab's Code Quality report. */
export function renderGitlabReport(diagnostics: readonly ExplainedDiagnostic[], checkout: Checkout): string {
  const prints = fingerprints(diagnostics, checkout);
  const issues = diagnostics.map((diagnostic, at) => ({
    description: escapeTerminal(wordsOf(diagnostic)),
    check_name: diagnostic.rule,
    fingerprint: prints[at],
    severity: diagnostic.severity === 'error' ? 'major' : 'minor',
    location: {
      path: pathOf(diagnostic.location, checkout),
      lines: { begin: diagnostic.location ? placeOf(diagnostic.location).line : 1 },
    },
  }));
  return renderJson(issues);
}

/** SARIF 2.1.0, for code scanning, which wants a place for every result; `version` is Trove's. */
export function renderSarif(
  diagnostics: readonly ExplainedDiagnostic[],
  checkout: Checkout,
  version: string,
): string {
  const prints = fingerprints(diagnostics, checkout);
  const rules = [...new Set(diagnostics.map(({ rule }) => rule))].sort().map((id) => ({ id }));
  const results = diagnostics.map((diagnostic, at) => ({
    ruleId: diagnostic.rule,
    level: diagnostic.severity,
    message: sarifMessage(wordsOf(diagnostic)),
    locations: [sarifLocation(diagnostic.location, checkout)],
    relatedLocations: (diagnostic.related ?? []).map(({ message, location }, id) => ({
      id,
      message: sarifMessage(message),
      ...sarifLocation(location, checkout),
    })),
    partialFingerprints: { 'trove/v1': prints[at] },
  }));
  const tool = { driver: { name: 'Trove', version, rules } };
  return renderJson({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool, columnKind: 'utf16CodeUnits', results }],
  });
}

/** In its plain text `[a](b)` would be a link. */
function sarifMessage(text: string) {
  return { text: escapeTerminal(text).replaceAll(/[\\[\]]/g, String.raw`\$&`) };
}

function sarifLocation(location: Location | undefined, checkout: Checkout) {
  const uri = pathOf(location, checkout).split('/').map(encodeURIComponent).join('/');
  return {
    physicalLocation: {
      artifactLocation: { uri, uriBaseId: '%SRCROOT%' },
      region: location ? regionOf(location) : { startLine: 1 },
    },
  };
}

function regionOf({ source, start, end }: Location) {
  const [from, to] = [source.positionAt(start), source.positionAt(end)];
  return { startLine: from.line, startColumn: from.column, endLine: to.line, endColumn: to.column };
}

/**
 * The same problem has the same print in every run, wherever its line has moved to; of several that are alike, each
 * has its own.
 */
function fingerprints(diagnostics: readonly ExplainedDiagnostic[], checkout: Checkout): readonly string[] {
  const seen = new Map<string, number>();
  return diagnostics.map((diagnostic) => {
    const { rule, location } = diagnostic;
    const substance = JSON.stringify([rule, pathOf(location, checkout), wordsOf(diagnostic)]);
    const before = seen.get(substance) ?? 0;
    seen.set(substance, before + 1);
    return createHash('sha256').update(`${substance}#${before}`).digest('hex');
  });
}

function pathOf(location: Location | undefined, { repositoryPath, catalogFolder }: Checkout): string {
  const path = location?.source.path ?? catalogFolder;
  return repositoryPath(path) ?? path;
}

function wordsOf(diagnostic: ExplainedDiagnostic): string {
  const { hint } = diagnostic;
  return `${messageOf(diagnostic)}${hint === undefined ? '' : ` (${hint})`}`;
}

/** With what it is about, if that is no place in a file. */
export function messageOf({ message, location, subject }: ExplainedDiagnostic): string {
  return location === undefined && subject !== undefined ? `${subject}: ${message}` : message;
}

/** `file:line:column`, or what a problem without a place is about. */
export function placeText({ location, subject }: ExplainedDiagnostic): string | undefined {
  if (!location) return subject;
  const { file, line, column } = placeOf(location);
  return `${file}:${line}:${column}`;
}

export function placeOf({ source, start }: Location) {
  return { file: source.path, ...source.positionAt(start) };
}
