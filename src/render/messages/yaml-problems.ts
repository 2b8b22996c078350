import type { InexactNumber, SyntaxMistake, YamlProblems } from '../../text/problems.ts';
import { quoted } from '../../text/quoted.ts';
import type { Sentence, Sentences } from './sentences.ts';

/** Why a text can't be read as YAML, or not as what it seems to say. */
export const yamlProblems: Sentences<keyof YamlProblems> = {
  'alias-limit': ({ most }) => [
    `the aliases of this file stand for more than ${most} values`,
    'write fewer or smaller aliases',
  ],
  'bad-merge': () => [
    'a merge key `<<` takes a mapping or a list of mappings',
    'give it an alias such as `*defaults`',
  ],
  'control-character': ({ isBinary }) => [
    'there is a control character here, which YAML does not allow',
    isBinary ? 'is it a text file?' : 'remove it',
  ],
  'decimal-comma': ({ number }) => [
    `the comma in ${quoted(number)} ends the value`,
    `write ${quoted(number.replace(',', '.'))}`,
  ],
  'duplicate-key': ({ kind, key, isLocal }) => [
    `the ${kind} ${quoted(key)} is declared twice${isLocal ? ' in this mapping' : ''}`,
  ],
  'inexact-number': inexactNumber,
  'non-string-key': ({ type }) => [
    `a key must be text, and this one is read as ${type === 'null' ? type : `a ${type}`}`,
    type === 'collection' ? undefined : 'put the key in quotes',
  ],
  'reserved-key': ({ key, prefix }) =>
    prefix === undefined
      ? [`the key ${quoted(key)} is not allowed`, 'choose another key']
      : [
          `${quoted(key)} is reserved for the records that a probe makes`,
          `choose a key that does not begin with ${prefix}`,
        ],
  'self-alias': ({ alias }) => [`the alias ${quoted(`*${alias}`)} refers to the node that it stands in`],
  'several-documents': () => [
    'a file holds one document, and a second one begins here',
    'put it into a file of its own',
  ],
  'unknown-alias': ({ anchor }) => [`no anchor ${quoted(`&${anchor}`)} comes before this alias`],
  'unknown-tag': ({ tag }) => [
    `the tag ${quoted(tag)} is not known here`,
    'remove the tag; text that looks like a number goes in quotes',
  ],
  'yaml-depth': ({ most }) => [`the nesting goes deeper than ${most} levels here`],
  'yaml-syntax': (values) => {
    if (values.why === 'other') return [values.words];
    // Between backquotes it could not be seen.
    const character = values.character === '`' ? 'a backtick' : quoted(values.character);
    return [syntaxMistakes[values.why].replace('CHARACTER', () => character)];
  },
};

function inexactNumber(number: InexactNumber): Sentence {
  const { why, text, value } = number;
  const shown = quoted(text);
  const orText = 'or put it in quotes if it is text';
  switch (why) {
    case 'infinite':
      return [
        `${shown} is not a finite number, and JSON can't carry it: it would become null`,
        `write a finite number, ${orText}`,
      ];
    case 'leading-zero':
      return [
        `${shown} is ambiguous: some readers take a leading zero for octal`,
        `write ${quoted(number.plain)} for the number, or ${quoted(`"${text}"`)} for the text`,
      ];
    case 'too-large':
      return [`${shown} is too large for a JSON number`, `write a number below 1.7e308, ${orText}`];
    case 'inexact':
      return [
        `${shown} can't be kept exactly as a number: it would become ${quoted(String(value))}`,
        `write a number of at most ${number.digits} significant digits, ${orText}`,
      ];
  }
}

/** For those who don't know the grammar of YAML. CHARACTER is the one at the place of the mistake. */
const syntaxMistakes: Readonly<Record<SyntaxMistake, string>> = {
  'block-head':
    'behind | and > stand only an indentation, + or -, and a comment; the text begins on the next line',
  escape: 'this escape is not known in double quotes; single quotes keep a backslash as it is',
  'first-character': 'a value that begins with CHARACTER must be in quotes',
  indentation: 'the lines around this one are not indented alike',
  'key-lines': 'a key must stand on one line, followed by a colon and a space',
  'no-comma': 'inside of brackets a comma must stand between two entries, and indentation makes none',
  'open-bracket': 'no CHARACTER closes the bracket that is opened here',
  'open-quote': 'the quote that is opened here is never closed',
  'quote-inside':
    'the quote before this has ended the value; a quote inside of it stands in the other kind of quotes',
  'second-colon': 'a second colon on this line; put a value that holds a colon in quotes',
  'stray-bracket': 'no bracket is open that this CHARACTER could close',
  tab: 'indentation is made of spaces, and there is a tab here',
  tag: 'no tag is allowed here',
  'uneven-lines': 'what belongs together must be indented alike; look at this line and those above it',
  unread: 'this belongs to nothing above it, so nothing from here on could be read',
};
