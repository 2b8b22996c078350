import { ambiguousOctal, exactDecimal, exactRadix, notFinite, type RejectedNumber } from './exact-number.ts';

export type Scalar = string | number | boolean | null;

const DECIMAL = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;
const LEADING_ZERO = /^[-+]?0\d/;
const RADIX = /^(?:0o[0-7]+|0x[0-9a-fA-F]+)$/;
const SPECIAL = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

// Only a plain scalar that begins with one of these can be anything else than a string.
const mayResolve = new Uint8Array(128);
for (const character of '0123456789-+.~nNtTfF') mayResolve[character.charCodeAt(0)] = 1;

/**
 * The value of a plain scalar by the YAML 1.2 core schema: `yes`, `on` and dates are strings. A number that
 * would not survive as a JSON number comes back as a `RejectedNumber`.
 */
export function resolvePlain(text: string): Scalar | RejectedNumber {
  if (text === '') return null;
  const first = text.charCodeAt(0);
  if (first > 127 || mayResolve[first] === 0) return text;
  if (first >= 48 && first <= 57 && text.length <= 15) {
    const small = shortInteger(text, first);
    if (small >= 0) return small;
  }
  return first <= 57 ? resolveNumber(text) : resolveWord(text);
}

/** Digits only and no leading zero: the number. Anything else: -1. */
function shortInteger(text: string, first: number): number {
  if (first === 48) return text.length === 1 ? 0 : -1;
  let value = 0;
  for (let index = 0; index < text.length; index++) {
    const digit = text.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

function resolveNumber(text: string): string | number | RejectedNumber {
  if (DECIMAL.test(text)) return LEADING_ZERO.test(text) ? ambiguousOctal(text) : exactDecimal(text);
  if (RADIX.test(text)) return exactRadix(text);
  return SPECIAL.test(text) ? notFinite(text) : text;
}

function resolveWord(text: string): string | boolean | null {
  switch (text) {
    case '~':
    case 'null':
    case 'Null':
    case 'NULL':
      return null;
    case 'true':
    case 'True':
    case 'TRUE':
      return true;
    case 'false':
    case 'False':
    case 'FALSE':
      return false;
    default:
      return text;
  }
}

const CORE = 'tag:yaml.org,2002:';

/** What an explicit tag makes of a scalar: its value, or why it can't. */
export function resolveTagged(tag: string, text: string): Scalar | RejectedNumber | 'unknown-tag' | 'misfit' {
  switch (tag) {
    case '!':
    case `${CORE}str`:
      return text;
    case `${CORE}null`:
      return resolvePlain(text) === null ? null : 'misfit';
    case `${CORE}bool`:
      return ofType('boolean', text);
    case `${CORE}int`:
      return text.includes('.') ? 'misfit' : ofType('number', text);
    case `${CORE}float`:
      return ofType('number', text);
    case `${CORE}map`:
    case `${CORE}seq`:
      return 'misfit';
    default:
      return 'unknown-tag';
  }
}

function ofType(type: 'boolean' | 'number', text: string): Scalar | RejectedNumber | 'misfit' {
  const value = resolvePlain(text);
  const rejectedNumber = type === 'number' && typeof value === 'object' && value !== null;
  return typeof value === type || rejectedNumber ? value : 'misfit';
}
