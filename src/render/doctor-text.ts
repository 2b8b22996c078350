import { pluralize } from '../text/pluralize.ts';
import type { DoctorCheck, Finding } from './model.ts';
import { linesOf, type Style, styleFor, textOf, wrap, wrapWords } from './terminal.ts';

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
  const count = (status: Finding['status']) => findings.filter((finding) => finding.status === status).length;
  const found = linesOf(
    count('error') > 0 && pluralize(count('error'), 'error'),
    count('warning') > 0 && pluralize(count('warning'), 'warning'),
  );
  const summary = found.length > 0 ? `${found.join(', ')}.` : 'Nothing to put right.';
  return textOf(...folded(findings).map((group) => findingLines(group, style)), '', style('bold', summary));
}

/** A finding with the topics of all that it stands for. */
type Folded = Finding & { readonly topics: readonly DoctorCheck[] };

function folded(findings: readonly Finding[]): readonly Folded[] {
  const groups: Folded[] = [];
  const substance = ({ status, message, remedies }: Finding) => JSON.stringify([status, message, remedies]);
  for (const finding of findings) {
    const last = groups.at(-1);
    if (last && finding.status === 'skipped' && substance(last) === substance(finding))
      groups[groups.length - 1] = { ...last, topics: [...last.topics, finding.check] };
    else groups.push({ ...finding, topics: [finding.check] });
  }
  return groups;
}

function findingLines({ topics, status, message, remedies }: Folded, style: Style): readonly string[] {
  const { word, format } = marks[status];
  const mark = `${style(format, word.padEnd(4))}  `;
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
