import type {
  AddressDifference,
  EnvironmentsDifference,
  Presence,
  ValueDifference,
} from '../plan/compare-environments.ts';
import type { Target } from '../state/model.ts';
import { pluralize } from '../text/pluralize.ts';
import { describeTarget } from './plan-view.ts';
import { columnWidth, escapeTerminal, renderJson, type Style, styleFor, wrapWords } from './terminal.ts';
import { valueText } from './value-text.ts';

export interface ComparedEnvironment {
  readonly environment: string;
  readonly target: Target;
  /** Something was recorded once. */
  readonly hasState: boolean;
}

export type ComparedPair = readonly [one: ComparedEnvironment, other: ComparedEnvironment];

/** Longer lists are cut, to stay readable; the JSON has all. */
const SHOWN = 100;

/** Who is compared, then what they have differently: settings, what is declared, what is recorded. */
export function renderEnvironmentsDifference(
  { settings, declared, recorded }: EnvironmentsDifference,
  pair: ComparedPair,
  color: boolean,
): string {
  const style = styleFor(color);
  const [one, other] = pair;
  return [
    ...headLines(pair),
    '',
    ...section('Settings', valueLines(settings, '  '), style),
    ...section('Declared', addressLines(declared, pair, style), style),
    ...section('Recorded', recordedLines(recorded, pair, style), style),
    style('bold', summary({ settings, declared, recorded }, one, other)),
    '',
  ].join('\n');
}

export function renderEnvironmentsDifferenceJson(
  difference: EnvironmentsDifference,
  [one, other]: ComparedPair,
): string {
  return renderJson({ formatVersion: 1, one, other, ...difference });
}

function headLines(pair: ComparedPair): readonly string[] {
  const width = columnWidth(pair.map(({ environment }) => environment));
  const targets = pair.flatMap((each) => {
    const words = `${describeTarget(each)}${each.hasState ? '' : '; nothing was ever recorded'}`;
    const first = `${each.environment.padEnd(width)}  `;
    return wrapWords(words, first, ' '.repeat(first.length));
  });
  return [...targets, 'Compared by their files and their last recorded answers, not by the services.'];
}

function section(title: string, lines: readonly string[], style: Style): readonly string[] {
  return lines.length === 0 ? [] : [style('bold', title), ...lines, ''];
}

/** Where nothing was ever recorded, a list of all that is elsewhere would tell nothing more than its length. */
function recordedLines(
  differences: readonly AddressDifference[],
  pair: ComparedPair,
  style: Style,
): readonly string[] {
  const without = pair.findIndex(({ hasState }) => !hasState);
  const only = without === -1 ? undefined : pair[1 - without];
  if (only === undefined || differences.length === 0) return addressLines(differences, pair, style);
  return [`  ${pluralize(differences.length, 'resource')} only in ${only.environment}`];
}

function addressLines(
  differences: readonly AddressDifference[],
  pair: ComparedPair,
  style: Style,
): readonly string[] {
  const listed = differences.slice(0, SHOWN);
  const width = columnWidth(
    listed.map(({ address }) => address),
    36,
  );
  const lines = listed.flatMap((difference) => {
    const words = presenceWords(difference, pair);
    const head = `  ${escapeTerminal(difference.address).padEnd(words ? width : 0)}`;
    return [
      ...(words ? wrapWords(words, `${head}  `, '      ') : [head]),
      ...valueLines(difference.fields, '    '),
    ];
  });
  const rest = differences.length - SHOWN;
  return rest > 0 ? [...lines, style('dim', `  ... and ${rest} more: --format json has all`)] : lines;
}

/** Empty where both have it, and only values differ. */
function presenceWords({ one, other }: AddressDifference, pair: ComparedPair): string {
  const [first, second] = pair.map(({ environment }) => environment);
  if (one === other) return presence[one];
  if (other === 'absent') return `only in ${first}${remark(one)}`;
  if (one === 'absent') return `only in ${second}${remark(other)}`;
  const words = [
    [first, presence[one]],
    [second, presence[other]],
  ].flatMap(([name, word]) => (word ? [`${word} in ${name}`] : []));
  return words.join(', ');
}

const presence: Readonly<Record<Presence, string>> = {
  declared: '',
  absent: '',
  recorded: '',
  diverged: 'diverged',
  unconfirmed: 'unconfirmed',
  imported: 'imported',
  pending: 'unknown',
};

function remark(state: Presence): string {
  return presence[state] ? ` (${presence[state]})` : '';
}

function valueLines(differences: readonly ValueDifference[], indent: string): readonly string[] {
  const width = columnWidth(
    differences.map(({ path }) => path),
    40,
  );
  return differences.flatMap(({ path, one, other }) =>
    wrapWords(
      `${shown(one)} | ${shown(other)}`,
      `${indent}${escapeTerminal(path).padEnd(width)}  `,
      `${indent}    `,
    ),
  );
}

function shown(value: unknown): string {
  const isUnmanaged = typeof value === 'object' && value !== null && '$notManaged' in value;
  return isUnmanaged ? '(not managed)' : valueText(value);
}

function summary(
  { settings, declared, recorded }: EnvironmentsDifference,
  one: ComparedEnvironment,
  other: ComparedEnvironment,
): string {
  const found = [
    ...(settings.length > 0 ? [pluralize(settings.length, 'setting')] : []),
    ...(declared.length > 0 ? [`${pluralize(declared.length, 'resource')} by declaration`] : []),
    ...(recorded.length > 0 ? [`${pluralize(recorded.length, 'resource')} by record`] : []),
  ];
  const names = `${one.environment} and ${other.environment}`;
  return found.length === 0 ? `${names} have the same.` : `${names} differ in ${found.join(', ')}.`;
}
