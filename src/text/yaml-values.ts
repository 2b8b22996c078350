import {
  boolCoreTag,
  constructFromEvents,
  defineScalarTag,
  type Event,
  mapTag,
  mergeTag,
  NOT_RESOLVED,
  nullCoreTag,
  Schema,
  seqTag,
  strTag,
} from 'js-yaml';
import type { InexactNumber } from './diagnostic.ts';

/** An alias or a merge key may give a file this many values more than it has characters. */
const MIN_EXPANSION_LIMIT = 100_000;

/** How many values the aliases of a text may stand for. */
export function expansionLimit(text: string): number {
  return Math.max(MIN_EXPANSION_LIMIT, text.length);
}

/**
 * The plain values of all documents, whose events have no tags. `doubt` is called for everything that may be wrong, and
 * something harmless takes its place; a key that overrides a merged one causes doubt, too. Throws a `YAMLException` if
 * an alias or a merge key refers to nothing usable.
 */
export function construct(text: string, events: Event[], doubt: () => void): readonly unknown[] {
  const addPair = (mapping: Record<string, unknown>, key: unknown, value: unknown): string => {
    if (typeof key !== 'string' || key === '__proto__') doubt();
    else {
      // Quicker than `Object.hasOwn`; what objects inherit is only looked at twice.
      if (mapping[key] !== undefined) doubt();
      mapping[key] = value;
    }
    return '';
  };
  const number = defineScalarTag<number>('tag:yaml.org,2002:float', {
    implicit: true,
    implicitFirstChars: [...'0123456789-+.'],
    identify: () => false,
    resolve: (written) => {
      const value = readNumber(written);
      if (typeof value !== 'object') return value ?? NOT_RESOLVED;
      doubt();
      return value.value;
    },
  });
  const schema = new Schema([
    seqTag,
    mergeTag,
    strTag,
    nullCoreTag,
    boolCoreTag,
    number,
    { ...mapTag, addPair },
  ]);
  const maxTotalMergeKeys = expansionLimit(text);
  // With `json` js-yaml leaves keys that exist already to the tag.
  return constructFromEvents(events, { source: text, schema, maxTotalMergeKeys, json: true });
}

/** The value of a plain scalar by the YAML 1.2 core schema: `yes`, `on` and dates are text. */
export function resolvePlain(text: string): string | number | boolean | null | InexactNumber {
  for (const { resolve, tagName } of [nullCoreTag, boolCoreTag]) {
    const value = resolve(text, false, tagName);
    if (value !== NOT_RESOLVED) return value;
  }
  return readNumber(text) ?? text;
}

// Nearly all numbers that people write. A JavaScript number holds any decimal of up to 15 significant digits.
const SHORT = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;
const SAFE_DIGITS = 15;
const DECIMAL = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;
const RADIX = /^(?:0o[0-7]+|0x[0-9a-fA-F]+)$/;
const SPECIAL = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

/** The number that a text is, or why it would not survive as a JSON number. */
function readNumber(text: string): number | InexactNumber | undefined {
  if (text.length <= SAFE_DIGITS && SHORT.test(text)) return Number(text);
  if (SPECIAL.test(text)) return { why: 'infinite', text, value: 0 };
  if (!DECIMAL.test(text) && !RADIX.test(text)) return undefined;
  // 12 to one reader and 10 to the next: YAML 1.1 reads it as octal.
  const plain = text.replace(/^([-+]?)0+(?=\d)/, '$1');
  if (plain !== text) return { why: 'leading-zero', text, plain, value: Number(plain) };
  const value = Number(text);
  if (!Number.isFinite(value)) return { why: 'too-large', text, value: 0 };
  // JSON has no negative zero.
  if (isExact(text, value)) return value || 0;
  return { why: 'inexact', text, digits: SAFE_DIGITS, value };
}

function isExact(text: string, value: number): boolean {
  return RADIX.test(text) ? BigInt(text) === BigInt(value) : canonical(text) === canonical(String(value));
}

/** Sign, significant digits and exponent: equal for two texts that name the same decimal. Linear in its length. */
function canonical(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace(/^[-+]/, '').split('.');
  const digits = whole + fraction;
  const start = digits.search(/[1-9]/);
  if (start === -1) return '0';
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  const power = Number(exponent) - fraction.length + (digits.length - end);
  return `${text.startsWith('-') ? '-' : ''}${digits.slice(start, end)}e${power}`;
}
