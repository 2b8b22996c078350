import { pluralize } from '../text/pluralize.ts';
import type { DoctorCheck, Finding } from './model.ts';
import { renderJson, type Style, styleFor, wrap, wrapWords } from './terminal.ts';

const marks: Readonly<Record<Finding['status'], { word: string; format: Parameters<Style>[0] }>> = {
  ok: { word: 'ok', format: 'green' },
  warning: { word: 'warn', format: 'yellow' },
  error: { word: 'FAIL', format: 'red' },
  skipped: { word: 'skip', format: 'dim' },
};

const TOPIC = 11;
const INDENT = ' '.repeat(4 + 2 + TOPIC + 2);

/** A line for each finding with what to do below it, then one sentence; what is skipped for one reason has one line. */
export function renderFindings(findings: readonly Finding[], color: boolean): string {
  const style = styleFor(color);
  const lines = folded(findings).flatMap((group) => findingLines(group, style));
  return [...lines, '', style('bold', summary(findings)), ''].join('\n');
}

/** For programs: a list of `{check, status, message, remedies}` in the order of the checks. */
export function renderFindingsJson(findings: readonly Finding[]): string {
  return renderJson(findings);
}

/** A finding with the topics of all that it stands for. */
type Folded = Finding & { readonly topics: readonly DoctorCheck[] };

function folded(findings: readonly Finding[]): readonly Folded[] {
  const groups: Folded[] = [];
  for (const finding of findings) {
    const last = groups.at(-1);
    const same =
      last?.status === 'skipped' && finding.status === 'skipped' && last.message === finding.message;
    if (same && last.remedies.length + finding.remedies.length === 0)
      groups[groups.length - 1] = { ...last, topics: [...last.topics, finding.check] };
    else groups.push({ ...finding, topics: [finding.check] });
  }
  return groups;
}

function findingLines({ topics, status, message, remedies }: Folded, style: Style): readonly string[] {
  const { word, format } = marks[status];
  const blank = ' '.repeat(6);
  const [first = '', ...rest] =
    topics.length === 1
      ? wrapWords(message, `${blank}${(topics[0] ?? '').padEnd(TOPIC)}  `, INDENT)
      : wrapWords(`${topics.join(', ')}: ${message}`, blank, blank);
  return [
    `${style(format, word.padEnd(4))}${first.slice(4)}`,
    ...rest,
    ...remedies.flatMap((remedy) => wrap(remedy, `${INDENT}- `, `${INDENT}  `)),
  ];
}

function summary(findings: readonly Finding[]): string {
  const count = (status: Finding['status']) => findings.filter((finding) => finding.status === status).length;
  const found = [
    ...(count('error') > 0 ? [pluralize(count('error'), 'error')] : []),
    ...(count('warning') > 0 ? [pluralize(count('warning'), 'warning')] : []),
  ];
  return found.length > 0 ? `${found.join(', ')}.` : 'Nothing to put right.';
}
