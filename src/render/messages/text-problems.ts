import type { FolderName, Problems, TextProblems } from '../../text/problems.ts';
import { quoted } from '../../text/quoted.ts';
import { explanationOf } from '../../text/system-error.ts';
import { replaceLink } from './catalog-problems.ts';
import { didYouMean, list, namesIn, type Sentence, type Sentences } from './sentences.ts';

/** What is wrong with a file before anybody asks what it means: with its bytes, its form, its schema. */
export const textProblems: Sentences<keyof TextProblems> = {
  'csv-size': ({ most }) => [
    `the table has more than ${most.toLocaleString('en-US')} cells`,
    'divide it into several files',
  ],
  'csv-syntax': ({ code }) => [
    csvMistakes[code] ?? "the cells can't be told apart from here on",
    'a cell with quotes in it stands in quotes, and each quote in it is doubled: "5"" nail"',
  ],
  'file-size': ({ file, most }) => [`${file} is larger than ${most} MiB`],
  'invalid-key': ({ key }) => [
    `${quoted(key)} is not a key: keys are lower-case letters and digits in words joined by - or _`,
    `for example ${quoted(slugOf(key) || 'iron-sword')}`,
  ],
  'invalid-value': (values) => {
    const subject = named(values.of);
    switch (values.why) {
      case 'empty':
        return [`${subject} must not be empty`];
      case 'other-form':
        return [
          `${subject} can't be ${quoted(String(values.given))}`,
          values.wanted && `expected: ${values.wanted.replace(/\.$/, '')}`,
        ];
      case 'other-value':
        return notAllowed(subject, values.given, values.allowed);
      case 'too-small':
        return [`${subject} must be at least ${values.least}`];
      case 'other':
        return [`${subject} ${values.problem ?? 'is not valid'}`];
    }
  },
  'link-outside': (values) =>
    'link' in values
      ? [`the link ${values.link} leads out of the catalog folder`, replaceLink]
      : [`a link leads out of ${folders[values.folder]}`, 'replace the link with the file or folder itself'],
  'missing-property': ({ of, missing, isAlso, item }) => [
    `${named(of)} ${isAlso ? 'also ' : ''}needs ${list(missing)}${item === undefined ? '' : `: the catalog gives item ${quoted(item)} no such range`}`,
  ],
  'more-problems': ({ more }) => [
    `${more === 1 ? '1 more problem is' : `${more} more problems are`} not listed`,
    'solve these first, then run the command again',
  ],
  'not-a-file': ({ file, isFolder }) => [
    `${file} can't be read: it is ${isFolder ? 'a folder' : 'not a regular file'}`,
  ],
  'not-utf8': () => ['the file is not UTF-8 text from here on', 'save it with the encoding UTF-8'],
  'repeated-value': ({ of, entry }) => [
    `${typeof entry === 'object' ? 'an entry' : quoted(String(entry))} is listed twice in ${named(of)}`,
  ],
  'text-length': ({ of, length, most, isFilledIn }) => [
    length === 0
      ? `${named(of)} must not be empty`
      : `${named(of)} has ${length} characters${isFilledIn ? ' once it is filled in' : ''}, and at most ${most} are allowed`,
  ],
  'unknown-property': ({ name, of, known }) => [
    `unknown property ${quoted(name)}${of ? ` in ${of.toLowerCase()}` : ''}`,
    didYouMean(name, namesIn(known)) ?? `known are ${list(namesIn(known))}`,
  ],
  unreadable: ({ file, code }) => [`${file} can't be read: ${explanationOf(code) ?? code}`],
  'wrong-type': wrongType,
};

const csvMistakes: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote that is opened here is never closed',
  CSV_INVALID_CLOSING_QUOTE: 'after the closing quote of this cell a comma or a line break is expected',
  INVALID_OPENING_QUOTE: 'a quote stands inside of this cell, which does not begin with one',
};

const folders: Readonly<Record<FolderName, string>> = {
  catalog: 'the catalog',
  'working-folder': 'the working folder',
};

function named(of: string | null): string {
  return of === null ? 'the file' : quoted(of);
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

function notAllowed(subject: string, given: unknown, values: readonly unknown[]): Sentence {
  const allowed = values.map(String);
  const isText = typeof given === 'string';
  const isQuoted = isText && values.includes(Number(given));
  const hint = isQuoted ? 'remove the quotes' : isText ? didYouMean(given, allowed) : undefined;
  const shown =
    given === null ? 'empty' : quoted(typeof given === 'object' ? typeNameOf(given) : String(given));
  return [`${subject} can't be ${shown}: possible is ${list(allowed)}`, hint];
}

const typeNames: Readonly<Record<string, string>> = {
  object: 'a mapping',
  array: 'a list',
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
};

/** Says what stands where another type is wanted, and how people come to write it so. */
function wrongType({ of, wanted: types, given }: Problems['wrong-type']): Sentence {
  const allowed = types.filter((type) => type !== 'null' || of !== null);
  const wanted = allowed.map((type) => typeNames[type] ?? type).join(' or ');
  const must = `${named(of)} must be ${wanted}`;
  if (given === null) return [`${must}, and nothing is given`];
  const isNumberAsText = wanted === 'a number' && typeof given === 'string';
  const isOther = wanted.startsWith('text') && typeof given !== 'object';
  const hint = isNumberAsText ? numberHint(given) : isOther ? 'put it in quotes' : undefined;
  const shown = wanted === 'a whole number' && typeof given === 'number' ? given : typeNameOf(given);
  return [`${must}, not ${shown}`, hint];
}

/** What to write for a text that people take for a number. */
function numberHint(text: string): string | undefined {
  if (/^-?\d+(\.\d+)?$/.test(text)) return 'remove the quotes';
  if (!/^[-+]?\d[\d.,' ]*$/.test(text)) return undefined;
  const point = text.replace(',', '.');
  if (!/^[-+]?\d+\.\d+$/.test(point)) return 'write it with a decimal point and without other marks: 1500.25';
  const thousands = /^[-+]?\d{1,3},\d{3}$/.test(text) ? `, or ${quoted(text.replace(',', ''))}` : '';
  return `write ${quoted(point)}${thousands}: a number has a decimal point`;
}

/** What a value is, in words: `a list`, `true`. */
function typeNameOf(value: unknown): string {
  if (typeof value === 'boolean') return String(value);
  return typeNames[Array.isArray(value) ? 'array' : typeof value] ?? typeof value;
}
