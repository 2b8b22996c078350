import catalog from '../../../schemas/catalog.schema.json' with { type: 'json' };
import environment from '../../../schemas/environment.schema.json' with { type: 'json' };
import type { SyntaxMistake, TextProblems, YamlProblems } from '../../text/diagnostic.ts';
import { quoted } from '../words.ts';
import { replaceLink } from './catalog-problems.ts';
import {
  alternatives,
  didYouMean,
  explanations,
  list,
  namesIn,
  type Sentence,
  type Sentences,
} from './sentences.ts';

/** What is wrong with a file before anybody asks what it means: with its bytes, its form, its schema. */
export const textProblems = {
  'csv-size': ({ most }) => [
    `the table has more than ${most.toLocaleString('en-US')} cells`,
    'split it into several files',
  ],
  'csv-syntax': ({ code }) => [
    csvMistakes[code] ?? "the cells can't be separated from here on",
    'put a cell that contains quotes in quotes, and double each quote in it: "5"" nail"',
  ],
  'file-size': ({ file, most }) => [`${file} is larger than ${most} MiB`, 'split it, or name another file'],
  'invalid-key': ({ key }) => [
    `${quoted(key)} is not a valid key: use lowercase letters and digits, in words joined by - or _`,
    `for example ${quoted(slugOf(key) || 'iron-sword')}`,
  ],
  'invalid-value': {
    empty: ({ of }) => [`${named(of)} must not be empty`],
    'other-form': ({ of, given, wanted }) => [
      `invalid value ${quoted(String(given))} for ${named(of)}`,
      // A schema's description also says to which backend a setting belongs.
      wanted && `expected: ${wanted.replace(/^For \w+: /, '').replace(/(?: Default: .*)?\.$/, '')}`,
    ],
    'other-value': ({ of, given, allowed }) => notAllowed(named(of), given, allowed),
    'too-small': ({ of, least }) => [`${named(of)} must be at least ${least}`],
    other: ({ of, problem = 'is not valid' }) => [`${named(of)} ${problem}`],
  },
  'link-outside': (values) =>
    'link' in values
      ? [`the link ${values.link} points outside the catalog folder`, replaceLink]
      : [
          `a link points outside the ${values.folder.replace('-', ' ')}`,
          'replace the link with the file or folder itself',
        ],
  'missing-property': ({ of, missing, isAlso, item }) => [
    `${named(of)} ${isAlso ? 'also ' : ''}needs ${list(missing.map(quoted))}${item === undefined ? '' : `: item ${quoted(item)} has no such range in the catalog`}`,
  ],
  'more-problems': ({ more }) => [
    `${more === 1 ? '1 more problem is' : `${more} more problems are`} not listed`,
    'fix these first, then run the command again',
  ],
  'not-a-file': ({ file, isFolder }) => [
    `${file} can't be read: it is ${isFolder ? 'a folder' : 'not a regular file'}`,
    'name a regular file',
  ],
  'not-utf8': () => ['invalid UTF-8 from here on', 'save the file as UTF-8'],
  'repeated-value': ({ of, entry }) => [
    `${typeof entry === 'object' ? 'an entry' : quoted(String(entry))} is listed twice in ${named(of)}`,
  ],
  'text-length': ({ of, length, most, isFilledIn }) => [
    length === 0
      ? `${named(of)} must not be empty`
      : `${named(of)} has ${length} characters${isFilledIn ? ' after interpolation' : ''}, and at most ${most} are allowed`,
  ],
  'unknown-property': ({ name, of, known }) => [
    `unknown property ${quoted(name)}${of ? ` in ${of.toLowerCase()}` : ''}`,
    of === catalog.title && Object.hasOwn(environment.properties, name)
      ? 'move an environment file to environments/NAME.yaml'
      : (didYouMean(name, namesIn(known)) ?? `known: ${list(namesIn(known).map(quoted))}`),
  ],
  unreadable: ({ file, code }) => [`${file} can't be read: ${explanations[code] ?? code}`],
  'wrong-type': wrongType,
} satisfies Sentences<keyof TextProblems>;

const csvMistakes: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'the quote opened here is never closed',
  CSV_INVALID_CLOSING_QUOTE: 'expected a comma or a line break after the closing quote',
  INVALID_OPENING_QUOTE: 'quote inside an unquoted cell',
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
  const expected = `expected ${alternatives(allowed.map(quoted))}`;
  // In YAML `null` is no value; the same word may be one of those that are.
  if (given === null)
    return [
      `missing value for ${subject}: ${expected}`,
      allowed.includes('null') ? 'put `null` in quotes: "null"' : undefined,
    ];
  const hint = isQuoted ? 'remove the quotes' : isText ? didYouMean(given, allowed) : undefined;
  const shown = quoted(typeof given === 'object' ? typeNameOf(given) : String(given));
  return [`invalid value ${shown} for ${subject}: ${expected}`, hint];
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
function wrongType({ of, wanted: types, given }: TextProblems['wrong-type']): Sentence {
  const allowed = types.filter((type) => type !== 'null' || of !== null);
  const wanted = allowed.map((type) => typeNames[type] ?? type).join(' or ');
  const must = `${named(of)} must be ${wanted}`;
  if (given === null) return [`${must}, but it has no value`];
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
  if (!/^[-+]?\d+\.\d+$/.test(point)) return 'use a decimal point and no other separators: 1500.25';
  const thousands = /^[-+]?\d{1,3},\d{3}$/.test(text) ? `, or ${quoted(text.replace(',', ''))}` : '';
  return `write ${quoted(point)}${thousands}: a number has a decimal point`;
}

/** What a value is, in words: `a list`, `true`. */
function typeNameOf(value: unknown): string {
  if (typeof value === 'boolean') return String(value);
  return typeNames[Array.isArray(value) ? 'array' : typeof value] ?? typeof value;
}

const orText = 'or put it in quotes if it is text';

/** Why a text can't be read as YAML, or not as what it seems to say. */
export const yamlProblems = {
  'alias-limit': ({ most }) => [
    `the aliases in this file expand to more than ${most} values`,
    'write fewer or smaller aliases',
  ],
  'bad-merge': () => [
    'a merge key `<<` accepts a mapping or a list of mappings',
    'give it an alias such as `*defaults`',
  ],
  'control-character': ({ isBinary }) => [
    'YAML does not allow this control character',
    isBinary ? 'is it a text file?' : 'remove it',
  ],
  'decimal-comma': ({ number }) => [
    `the comma in ${quoted(number)} ends the value`,
    `write ${quoted(number.replace(',', '.'))}`,
  ],
  'duplicate-key': ({ kind, key, isLocal }) => [
    `the ${kind} ${quoted(key)} is declared twice${isLocal ? ' in this mapping' : ''}`,
  ],
  'inexact-number': {
    infinite: ({ text }) => [
      `${quoted(text)} is not a finite number, and JSON can't represent it: it would become null`,
      `write a finite number, ${orText}`,
    ],
    'leading-zero': ({ text, plain }) => [
      `${quoted(text)} is ambiguous: some parsers read a leading zero as octal`,
      `write ${quoted(plain)} for the number, or ${quoted(`"${text}"`)} for the text`,
    ],
    'too-large': ({ text }) => [
      `${quoted(text)} is too large for a JSON number`,
      `write a number below 1.7e308, ${orText}`,
    ],
    inexact: ({ text, value, digits }) => [
      `${quoted(text)} can't be represented exactly as a number: it would become ${quoted(String(value))}`,
      `write a number of at most ${digits} significant digits, ${orText}`,
    ],
  },
  'non-string-key': ({ type }) => [
    `a key must be text, but this one is read as ${type === 'null' ? type : `a ${type}`}`,
    type === 'collection' ? undefined : 'put the key in quotes',
  ],
  'reserved-key': ({ key, prefix }) =>
    prefix === undefined
      ? [`the key ${quoted(key)} is not allowed`, 'choose another key']
      : [
          `${quoted(key)} is reserved for the records of trove probe`,
          `choose a key that does not begin with ${prefix}`,
        ],
  'self-alias': ({ alias }) => [`the alias ${quoted(`*${alias}`)} refers to the node that contains it`],
  'several-documents': () => [
    'a file contains one document, but a second one starts here',
    'move it to its own file',
  ],
  'unknown-alias': ({ anchor }) => [`no anchor ${quoted(`&${anchor}`)} is defined before this alias`],
  'unknown-tag': ({ tag }) => [
    `the tag ${quoted(tag)} is not supported`,
    'remove the tag; text that looks like a number goes in quotes',
  ],
  'yaml-depth': ({ most }) => [`the nesting exceeds ${most} levels here`],
  'yaml-size': ({ most }) => [
    `the file is too large to check: it has more than ${most} YAML events`,
    'split it into several files',
  ],
  'yaml-syntax': (values) => {
    if (values.why === 'other') return [values.words];
    // Between backquotes it could not be seen.
    const character = values.character === '`' ? 'a backtick' : quoted(values.character);
    return [syntaxMistakes[values.why].replace('CHARACTER', () => character)];
  },
} satisfies Sentences<keyof YamlProblems>;

/** For those who don't know the grammar of YAML. CHARACTER is the one at the place of the mistake. */
const syntaxMistakes: Readonly<Record<SyntaxMistake, string>> = {
  'block-head':
    'only an indentation indicator, + or -, and a comment may follow | or >; the text starts on the next line',
  directive: 'unsupported directive: remove it; files are read as YAML 1.2',
  escape: 'unknown escape in double quotes; single quotes keep a backslash as is',
  'first-character': 'a value that begins with CHARACTER must be in quotes',
  indentation: 'the lines around this one have different indentation',
  'key-lines': 'a key must be on one line, followed by a colon and a space',
  'no-comma': 'missing comma between two entries in brackets; indentation does not separate them',
  'open-bracket': 'missing CHARACTER: the bracket opened here is never closed',
  'open-quote': 'the quote opened here is never closed',
  'quote-inside':
    'the quote before this ends the value; to include a quote, enclose the value in the other kind',
  'second-colon': 'second colon on this line; put a value that contains a colon in quotes',
  'stray-bracket': 'unexpected CHARACTER: no bracket is open',
  tab: 'tab in the indentation; use spaces',
  tag: 'no tag is allowed here',
  'uneven-lines': 'inconsistent indentation; compare this line with those above it',
  unread: 'unexpected content; nothing from here on could be read',
};
