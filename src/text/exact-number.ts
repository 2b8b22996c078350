import { quoted } from './quoted.ts';

/** A scalar that looks like a number but can't travel as one. `value` is the nearest thing to go on with. */
export interface RejectedNumber {
  readonly message: string;
  readonly hint: string;
  readonly value: number;
}

// Nearly all numbers that people write; of at most 15 digits they are exact.
const SHORT = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;
const DECIMAL = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;
const LEADING_ZERO = /^[-+]?0\d/;
const RADIX = /^(?:0o[0-7]+|0x[0-9a-fA-F]+)$/;
const SPECIAL = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
// A JavaScript number holds any decimal of up to 15 significant digits and gives the same digits back.
const SAFE_DIGITS = 15;

/** The number that a text is by the YAML 1.2 core schema, or why it would not survive as a JSON number. */
export function readNumber(text: string): number | RejectedNumber | undefined {
  if (text.length <= SAFE_DIGITS && SHORT.test(text)) return Number(text);
  if (DECIMAL.test(text)) return LEADING_ZERO.test(text) ? ambiguousOctal(text) : exactDecimal(text);
  if (RADIX.test(text)) return exactRadix(text);
  return SPECIAL.test(text) ? notFinite(text) : undefined;
}

/** Turns decimal text (`12`, `-0.5`, `1e3`) into the number that it is, or says what it would become. */
function exactDecimal(text: string): number | RejectedNumber {
  if (text.length <= SAFE_DIGITS && !/[eE]/.test(text)) return withoutNegativeZero(Number(text));
  const value = Number(text);
  if (Number.isFinite(value) && canonical(text) === canonical(String(value)))
    return withoutNegativeZero(value);
  return rejected(text, value);
}

/** Turns `0x1F` or `0o17` into the number that it is, or says what it would become. */
function exactRadix(text: string): number | RejectedNumber {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  if (Number.isFinite(value) && BigInt(text) === BigInt(value)) return value;
  return rejected(text, value);
}

/** Integers with a leading zero are 12 to one reader and 10 to the next (YAML 1.1 reads them as octal). */
function ambiguousOctal(text: string): RejectedNumber {
  const plain = text.replace(/^([-+]?)0+(?=\d)/, '$1');
  return {
    message: `${quoted(text)} is ambiguous: some readers take a leading zero for octal`,
    hint: `write ${quoted(plain)} for the number, or ${quoted(`"${text}"`)} for the text`,
    value: finite(Number(plain)),
  };
}

/** `.inf` and `.nan` are numbers in YAML and in nothing that the service reads. */
function notFinite(text: string): RejectedNumber {
  return {
    message: `${quoted(text)} is not a finite number, and JSON can't carry it: it would become null`,
    hint: 'write a finite number, or put it in quotes if it is text',
    value: 0,
  };
}

function rejected(text: string, value: number): RejectedNumber {
  if (!Number.isFinite(value)) return tooLarge(text);
  return {
    message: `${quoted(text)} can't be kept exactly as a number: it would become ${quoted(String(value))}`,
    hint: 'write a number of at most 15 significant digits, or put it in quotes if it is text',
    value,
  };
}

function tooLarge(text: string): RejectedNumber {
  return {
    message: `${quoted(text)} is too large for a JSON number`,
    hint: 'write a number below 1.7e308, or put it in quotes if it is text',
    value: 0,
  };
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : 0;
}

function withoutNegativeZero(value: number): number {
  return value === 0 ? 0 : value;
}

/** Sign, significant digits and exponent: equal for two texts that name the same decimal. Linear in its length. */
function canonical(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace(/^[-+]/, '').split('.');
  const digits = whole + fraction;
  let start = 0;
  while (digits[start] === '0') start++;
  let end = digits.length;
  while (end > start && digits[end - 1] === '0') end--;
  if (start === end) return '0';
  const power = Number(exponent) - fraction.length + (digits.length - end);
  return `${text.startsWith('-') ? '-' : ''}${digits.slice(start, end)}e${power}`;
}
