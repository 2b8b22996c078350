import type { YAMLException } from 'js-yaml';
import { type Diagnostic, error } from './diagnostic.ts';
import type { SourceText } from './source.ts';

/** Levels of nesting that a file may have; both parsers recurse, and one of them can end the process. */
export const MAX_DEPTH = 100;

/** js-yaml's first syntax error as a diagnostic. */
export function syntaxProblem(source: SourceText, problem: YAMLException): Diagnostic {
  const start = Math.min(problem.mark?.position ?? 0, source.text.length);
  const location = { source, start, end: Math.min(start + 1, source.text.length) };
  if (problem.reason.startsWith('nesting exceeded')) return tooDeep(source, start);
  const sentence = sentences.find(([part]) => problem.reason.includes(part))?.[1];
  const reason = sentence ?? problem.reason;
  return error('yaml-syntax', reason, { location });
}

function tooDeep(source: SourceText, start: number): Diagnostic {
  const location = { source, start, end: start + 1 };
  return error('yaml-depth', `the nesting goes deeper than ${MAX_DEPTH} levels here`, { location });
}

const sentences: readonly (readonly [string, string])[] = [
  ['bad indentation of a mapping entry', 'the indentation does not fit the entries around it'],
  ['bad indentation of a sequence entry', 'the indentation does not fit the list entries around it'],
  ['deficient indentation', 'this line must be indented further, as it belongs to the value above'],
  ['tab characters', 'indentation is made of spaces, and there is a tab here'],
  ["expected ':' after a mapping key", 'a key and a colon are expected here'],
  ['missed comma', 'a comma is missing between two entries'],
  ['within a flow collection', 'a bracket that was opened is never closed'],
  ['quoted scalar', 'a quote that was opened is never closed'],
  ['multiline key', 'a key must stand on one line, followed by a colon'],
  ['non-printable', 'there is a control character here, which YAML does not allow'],
  ['tag name', 'this tag holds a character that no tag can hold'],
  ['tag handle', 'the beginning of this tag is declared nowhere, or twice'],
  ['document separator is expected', 'the document has ended, and something else follows'],
];
