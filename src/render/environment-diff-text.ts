import type {
  AddressDifference,
  EnvironmentsDifference,
  Presence,
  ValueDifference,
} from '../plan/compare-environments.ts';
import type { Target } from '../state/model.ts';
import { pluralize } from '../text/pluralize.ts';
import { describeTarget } from './plan-view.ts';
import {
  columnWidth,
  escapeTerminal,
  labeled,
  linesOf,
  renderJson,
  styleFor,
  textOf,
  wrapWords,
} from './terminal.ts';
import { valueText } from './value-text.ts';

export interface ComparedEnvironment {
  readonly environment: string;
  readonly target: Target;
  /** Something was recorded once. */
  readonly hasState: boolean;
}

type Pair = readonly [one: ComparedEnvironment, other: ComparedEnvironment];

/** Longer lists are cut, to stay readable; the JSON has all. */
const SHOWN = 100;

/** Who is compared, then what they have differently: settings, what is declared, what is recorded. */
export function renderEnvironmentsDifference(
  { settings, declared, recorded }: EnvironmentsDifference,
  pair: Pair,
  color: boolean,
): string {
  const style = styleFor(color);
  const section = (title: string, lines: readonly string[]) =>
    linesOf(lines.length > 0 && [style('bold', title), ...lines, '']);
  const targets = pair.map((each) => {
    const target = `${describeTarget(each)}${each.hasState ? '' : '; nothing was ever recorded'}`;
    return [each.environment, target] as const;
  });
  const found = linesOf(
    settings.length > 0 && pluralize(settings.length, 'setting'),
    declared.length > 0 && `${pluralize(declared.length, 'resource')} by declaration`,
    recorded.length > 0 && `${pluralize(recorded.length, 'resource')} by record`,
  );
  const names = pair.map(({ environment }) => environment).join(' and ');
  return textOf(
    labeled(targets),
    'Compared by their files and their last recorded answers, not by the services.',
    '',
    section('Settings', valueLines(settings, '  ')),
    section('Declared', addressLines(declared, pair)),
    section('Recorded', recordedLines(recorded, pair)),
    style('bold', `${names} ${found.length === 0 ? 'have the same' : `differ in ${found.join(', ')}`}.`),
  );
}

export function renderEnvironmentsDifferenceJson(
  difference: EnvironmentsDifference,
  [one, other]: Pair,
): string {
  return renderJson({ formatVersion: 1, one, other, ...difference });
}

/** Where nothing was ever recorded, a list of all that is elsewhere would tell nothing more than its length. */
function recordedLines(differences: readonly AddressDifference[], pair: Pair): readonly string[] {
  const [filled, ...others] = pair.filter(({ hasState }) => hasState);
  if (others.length > 0 || filled === undefined || differences.length === 0)
    return addressLines(differences, pair);
  return [`  ${pluralize(differences.length, 'resource')} only in ${filled.environment}`];
}

function addressLines(differences: readonly AddressDifference[], pair: Pair): readonly string[] {
  const listed = differences.slice(0, SHOWN);
  const width = columnWidth(
    listed.map(({ address }) => address),
    36,
  );
  const rest = differences.length - listed.length;
  return linesOf(
    ...listed.flatMap((difference) => {
      const words = presenceWords(difference, pair);
      const address = `  ${escapeTerminal(difference.address)}`;
      return [
        words === '' ? address : wrapWords(words, `${address.padEnd(width + 2)}  `, '      '),
        valueLines(difference.fields, '    '),
      ];
    }),
    rest > 0 && `  ... and ${rest} more: --format json has all`,
  );
}

/** Empty where both have it, and only values differ. */
function presenceWords({ one, other }: AddressDifference, pair: Pair): string {
  const [first, second] = pair.map(({ environment }) => environment);
  if (one === other) return presence[one];
  const remark = (state: Presence) => (presence[state] ? ` (${presence[state]})` : '');
  if (other === 'absent') return `only in ${first}${remark(one)}`;
  if (one === 'absent') return `only in ${second}${remark(other)}`;
  return linesOf(
    presence[one] !== '' && `${presence[one]} in ${first}`,
    presence[other] !== '' && `${presence[other]} in ${second}`,
  ).join(', ');
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

function valueLines(differences: readonly ValueDifference[], indent: string): readonly string[] {
  const rows = differences.map(({ path, one, other }) => [path, `${shown(one)} | ${shown(other)}`] as const);
  return labeled(rows, indent, 40);
}

function shown(value: unknown): string {
  const isUnmanaged = typeof value === 'object' && value !== null && '$notManaged' in value;
  return isUnmanaged ? '(not managed)' : valueText(value);
}
