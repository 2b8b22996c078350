import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { Catalog } from '../catalog/model.ts';
import type { WireSpaceLink } from '../contract/api.ts';
import type { CredentialNames } from '../environment/model.ts';
import type { Target } from '../state/model.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import { countOf } from '../text/problem-list.ts';
import { words } from './messages/doctor.ts';
import { wordsFor } from './messages/sentences.ts';
import type { ExplainedFinding, Finding } from './model.ts';
import { describeTarget } from './plan-summary.ts';
import { groupBy } from './plan-view.ts';
import {
  alignColumns,
  escapeTerminal,
  type Format,
  harmless,
  inColor,
  linesOf,
  paragraphs,
  styled,
  textOf,
  wrap,
  wrapWords,
} from './terminal.ts';
import { plural, pluralize } from './words.ts';

/** What is declared, where nothing is wrong with it. */
export function verdictText(
  { classifiers, items, fileCount, folder }: Catalog,
  environments: number,
): string {
  const declared = `${pluralize(classifiers.size, 'classifier')} and ${pluralize(items.size, 'item')}`;
  const read = `${pluralize(fileCount, 'file')}, ${pluralize(environments, 'environment')}`;
  return `${folder} is valid: ${declared} in ${read}.`;
}

export const foundText = (problems: readonly Diagnostic[]) =>
  `${pluralize(countOf(problems), 'problem')} found`;

/** Of a file of events without an end. */
export const unfinishedText = (environment: string) =>
  `${harmless(escapeTerminal(environment))}: the file ends before the apply finished; it was killed or is still running.\n`;

export const writtenText = (file: string) => `Wrote ${escapeTerminal(file)}\n`;
export const fullSummaryText = 'The step summary is full (1 MiB); nothing was added.\n';
/** The first line is for scripts. */
export const listeningText = (url: string) =>
  `Listening on ${url}\nPage for a browser: ${new URL('/', url).href}\n`;
export const openText = (page: string) => `Open in a browser on this machine: ${page}\n`;
export const heldText = (environment: string) =>
  paragraphs(`Until you press Ctrl-C, trove apply can't use environment ${environment}.`);

/** How long a command and its steps took, in milliseconds. */
export function timesText(steps: ReadonlyMap<string, number>, total: number): string {
  const parts = [...steps].map(([step, took]) => `${step} ${took} ms`);
  return `finished in ${total} ms${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`;
}
export const failedRequestText = (why: string) => `the service failed to handle a request: ${why}\n`;

export interface FormattingChange {
  readonly shown: string;
  readonly before: string;
  readonly after: string;
}

/** Lines that a shown diff adds and removes. Finding them takes time by their square, and no one reads more. */
const MOST_CHANGED = 2000;

/** A unified diff of every file that would change; `patch` can apply it. */
export function renderFormattingDiff(changes: readonly FormattingChange[], color: boolean): string {
  const options = { headerOptions: FILE_HEADERS_ONLY, maxEditLength: MOST_CHANGED };
  const lines = changes.flatMap(({ shown, before, after }) => {
    const patch = createTwoFilesPatch(shown, shown, before, after, '', '', options);
    return patch?.split('\n') ?? [`${shown}: over ${MOST_CHANGED} lines of the diff, not shown`];
  });
  const text = textOf(
    lines.filter((line) => line !== '').map((line) => styled(formatOf(line), escapeLine(line))),
  );
  return inColor(color, text);
}

/** A tab is shown as it is, and the line break of Windows, too: both are part of the patch. */
function escapeLine(line: string): string {
  return line.replace(/[^\t\r]+|\r(?!$)/g, escapeTerminal);
}

function formatOf(line: string): 'bold' | 'cyan' | 'green' | 'red' | 'reset' {
  if (/^(?:---|\+\+\+) /.test(line)) return 'bold';
  return ({ '@': 'cyan', '+': 'green', '-': 'red' } as const)[line.charAt(0)] ?? 'reset';
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
    problems > 0 ? `\n${pluralize(problems, 'problem')} found; files with problems are unchanged.\n` : '';
  if (changed === 0) return wrong || `${pluralize(files, 'file')} checked, nothing to change.\n`;
  const them = changed === 1 ? 'it' : 'them';
  const done = check ? `would change; to change ${them}: trove fmt${flags}` : 'changed.';
  return `${wrong}${changed} of ${pluralize(files, 'file')} ${done}\n`;
}

export interface InitView {
  readonly written: readonly string[];
  /** Files that were there before, and still are. */
  readonly kept: readonly string[];
  /** What printed commands need to mean the new catalog and `local`. */
  readonly local: string;
  /** The same for the first environment beside it. */
  readonly environment: string | undefined;
}

/** What `trove init` has written, and what to type next. */
export function renderInit({ written, kept, local, environment }: InitView): string {
  const files = (paths: readonly string[]) => paths.map((path) => `  ${escapeTerminal(path)}`);
  const embedded = (flags: string) => [
    ['preview the changes', `trove plan${flags}`],
    ['apply them to the embedded service', `trove apply${flags}`],
  ];
  const remote = (flags: string) => [
    ['check the environment', `trove doctor${flags}`],
    ['preview its changes', `trove plan${flags}`],
  ];
  const steps = [...embedded(local), ...(environment === undefined ? [] : remote(environment))];
  return textOf(
    'Written:',
    files(written),
    kept.length > 0 && ['', 'Unchanged:', ...files(kept)],
    '',
    'Next:',
    alignColumns(steps).trimEnd().replaceAll(/^/gm, '  '),
  );
}

export interface AddedEnvironment {
  /** As people see it. */
  readonly file: string;
  readonly target: Target;
  /** Undefined for the embedded service. */
  readonly credentials: CredentialNames | undefined;
  /** How many attributes of the catalog have no id in it. */
  readonly unbound: number;
  /** How many IDs of attributes came from the environment that was copied. */
  readonly copied: number;
  /** What printed commands need to mean it. */
  readonly flags: string;
}

/** One sentence: the file, and for whom it is. */
export function renderAdded({ file, target }: AddedEnvironment): string {
  return paragraphs(`${file} was created: ${describeTarget({ target })}.`);
}

export interface RemovedEnvironment {
  /** As people see it, like the other files. */
  readonly file: string;
  readonly files: readonly string[];
  /** These are undefined if they can't be read. */
  readonly records: number | undefined;
  readonly target: Target | undefined;
}

/** What is gone, and what is left where. */
export function renderRemoved({ file, files, records, target }: RemovedEnvironment): string {
  const kept = records === undefined ? 'records' : pluralize(records, 'record');
  return paragraphs(
    `${file} was removed.`,
    target && records !== 0 && `Its ${kept} remain in ${describeTarget({ target })}.`,
    files.length > 0 && `Left as they are: ${files.join(', ')}`,
  );
}

/** What to do with a new environment, a numbered line each. */
export function renderNextSteps({ file, credentials, unbound, copied, flags }: AddedEnvironment): string {
  const first = credentials ? ' --new-environment' : '';
  const steps = linesOf(
    unbound > 0 && `add the ${plural(unbound, 'ID')} of ${pluralize(unbound, 'attribute')} to ${file}`,
    copied > 0 && `check the ${pluralize(copied, 'attribute ID')} in ${file}`,
    credentials && `set ${credentials.usernameFrom} and ${credentials.passwordFrom}`,
    `trove doctor${flags}`,
    `trove plan${flags}`,
    `trove apply${flags}${first}`,
  );
  const lines = steps.flatMap((step, at) => wrap(step, `  ${at + 1}. `, '     '));
  return textOf('', 'Next:', lines);
}

export function renderSpaces(userId: string, links: readonly WireSpaceLink[]): string {
  if (links.length === 0) return `User ${escapeTerminal(userId)} has no spaces.\n`;
  const rows = links.map(({ space }) => [space.name, `${space.cols} x ${space.rows}`, space.id]);
  return alignColumns([['SPACE', 'GRID', 'ID'], ...rows]);
}

/** One setting with all that it can be; the first value is the default. */
export interface SettingRow {
  readonly name: string;
  readonly value: string;
  readonly values: readonly string[];
}

/** A table of settings: name, value, and what else is possible, with the default marked. */
export function renderSettings(rows: readonly SettingRow[]): string {
  const texts = rows.map(({ name, value, values }) => {
    const mark = (each: string) => (each === values[0] ? `${each} (default)` : each);
    const others = values.filter((other) => other !== value);
    return [name, mark(value), others.map(mark).join(', ')];
  });
  return alignColumns([['POINT', 'VALUE', 'OTHER VALUES'], ...texts]);
}

/** `subject`: which environment it is, and what printed commands need to mean it. */
export function explainFindings(
  findings: readonly Finding[],
  { environmentName, flags }: { readonly environmentName: string; readonly flags: string },
): readonly ExplainedFinding[] {
  return findings.map((finding) => {
    const { check, status, code } = finding;
    const [message, ...remedies] = wordsFor(words, code, finding, { environmentName, flags, check });
    return { check, status, message, remedies };
  });
}

const marks: Readonly<Record<ExplainedFinding['status'], { word: string; format: Format }>> = {
  ok: { word: 'ok', format: 'green' },
  warning: { word: 'warn', format: 'yellow' },
  error: { word: 'FAIL', format: 'red' },
  skipped: { word: 'skip', format: 'dim' },
};

const TOPIC = 11;
const INDENT = ' '.repeat(4 + 2 + TOPIC + 2);

/** A line for each finding with what to do below it, then one sentence; what is skipped for one reason has one line. */
export function renderFindings(findings: readonly ExplainedFinding[], color: boolean): string {
  const found = (['error', 'warning'] as const).flatMap((kind) => {
    const count = findings.filter(({ status }) => status === kind).length;
    return count > 0 ? [pluralize(count, kind)] : [];
  });
  const summary = found.length > 0 ? `${found.join(', ')}.` : 'No problems found.';
  const substance = ({ check, ...rest }: ExplainedFinding) =>
    JSON.stringify(rest.status === 'skipped' ? rest : [check, rest]);
  const groups = [...groupBy(findings, substance).values()];
  return inColor(color, textOf(...groups.map(findingLines), '', styled('bold', summary)));
}

function findingLines(group: readonly ExplainedFinding[]): readonly string[] {
  const topics = group.map(({ check }) => check);
  const [{ status, message, remedies } = { status: 'ok', message: '', remedies: [] } as const] = group;
  const { word, format } = marks[status];
  const mark = `${styled(format, word.padEnd(4))}  `;
  const [first = '', ...rest] =
    topics.length === 1
      ? wrapWords(message, `      ${topics[0]?.padEnd(TOPIC)}  `, INDENT)
      : wrapWords(`${topics.join(', ')}: ${message}`, '      ', '      ');
  return [
    `${mark}${first.slice(6)}`,
    ...rest,
    ...remedies.flatMap((remedy) => wrap(remedy, `${INDENT}- `, `${INDENT}  `)),
  ];
}
