import type { Diagnostic } from '../text/diagnostic.ts';
import { bytes, fitParts, type Part } from './fitted.ts';
import { codeSpan, prose } from './markdown.ts';

/** Problems as a list below `heading` (one of ours), errors and warnings as they come, in at most `limit` bytes. */
export function renderProblemsMarkdown(
  heading: string,
  problems: readonly Diagnostic[],
  limit: number,
): string {
  const head = `### ${heading}\n\n`;
  const part: Part = {
    head: '',
    units: problems.map((problem) => ({ text: problemText(problem) })),
    tail: '\n',
    more: (count) => `\n… and ${count} more; they are in the log\n`,
  };
  return head + fitParts([part], limit - bytes(head));
}

function problemText({ severity, message, rule, hint, location, subject }: Diagnostic): string {
  const { line, column } = location?.source.positionAt(location.start) ?? {};
  const place = location ? `${location.source.path}:${line}:${column}` : subject;
  const head = [`**${severity}**`, ...(place === undefined ? [] : [codeSpan(place)]), `(${codeSpan(rule)})`];
  return [
    `- ${head.join(' ')}<br>`,
    `  ${prose(message)}${hint === undefined ? '' : '<br>'}`,
    ...(hint === undefined ? [] : [`  ${prose(hint)}`]),
    '',
  ].join('\n');
}
