import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { counted } from '../text/counted.ts';
import { escapeTerminal } from './escape.ts';
import { styleFor } from './style.ts';

export interface FormattingChange {
  readonly shown: string;
  readonly before: string;
  readonly after: string;
}

/** A unified diff of every file that would change; `patch` can apply it. */
export function renderFormattingDiff(changes: readonly FormattingChange[], color: boolean): string {
  const style = styleFor(color);
  return changes
    .flatMap(({ shown, before, after }) =>
      createTwoFilesPatch(shown, shown, before, after, '', '', { headerOptions: FILE_HEADERS_ONLY }).split(
        '\n',
      ),
    )
    .filter((line) => line !== '')
    .map((line) => `${style(formatOf(line), escapeLine(line))}\n`)
    .join('');
}

/** A tab is shown as it is, and the line break of Windows, too: both are part of the patch. */
function escapeLine(line: string): string {
  const ending = line.endsWith('\r') ? '\r' : '';
  const text = line.slice(0, line.length - ending.length);
  return text.split('\t').map(escapeTerminal).join('\t') + ending;
}

function formatOf(line: string): 'bold' | 'cyan' | 'green' | 'red' | 'reset' {
  if (line.startsWith('--- ') || line.startsWith('+++ ')) return 'bold';
  if (line.startsWith('@@')) return 'cyan';
  if (line.startsWith('+')) return 'green';
  return line.startsWith('-') ? 'red' : 'reset';
}

interface FormattingSummary {
  readonly files: number;
  readonly changed: number;
  readonly problems: number;
  readonly check: boolean;
  readonly flags: string;
}

/** What became of all files, in a line. */
export function renderFormattingSummary(summary: FormattingSummary): string {
  const { files, changed, problems, check, flags } = summary;
  const wrong =
    problems > 0 ? `\n${counted(problems, 'problem')} found; files with problems are left alone.\n` : '';
  if (changed === 0) return wrong === '' ? `${counted(files, 'file')} checked, nothing to change.\n` : wrong;
  const done = check
    ? `would change; to change ${changed === 1 ? 'it' : 'them'}: trove fmt${flags}`
    : 'changed.';
  return `${wrong}${counted(changed, 'file')} of ${files} ${done}\n`;
}
