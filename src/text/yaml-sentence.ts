import { quoted } from './quoted.ts';
import type { SourceText } from './source.ts';
import { missingBracket, type YamlError } from './yaml-errors.ts';

/** What is wrong, for those who don't know the grammar of YAML; the parser's own words where they are plain. */
export function sentenceOf({ text }: SourceText, found: YamlError): string {
  const { code, message, start, opening } = found;
  const missing = missingBracket(found);
  if (missing) return `no ${quoted(missing)} closes the bracket that is opened here`;
  if (opening !== undefined) return 'the quote that is opened here is never closed';
  if (/^All .* same column$/.test(message))
    return 'what belongs together must be indented alike; look at this line and those above it';
  // A value with a colon of its own, or one whose next line is indented too far.
  if (code === 'BLOCK_AS_IMPLICIT_KEY' && !/^[^[{\n]*:(?:\s|$)/.test(text.slice(start)))
    return 'the lines around this one are not indented alike';
  const words = inWords.find(([pattern]) => pattern.test(message))?.[1];
  const character = text.charAt(start) === '`' ? 'a backtick' : quoted(text.charAt(start));
  return words?.(character) ?? sentences[code] ?? message.charAt(0).toLowerCase() + message.slice(1);
}

const inWords: readonly (readonly [RegExp, (character: string) => string])[] = [
  [/^Unexpected flow-\S+-end token/, (character) => `no bracket is open that this ${character} could close`],
  [/token in YAML stream/, () => 'this belongs to nothing above it, so nothing from here on could be read'],
  [
    /^Unexpected scalar at node end/,
    () =>
      'the quote before this has ended the value; a quote inside of it stands in the other kind of quotes',
  ],
  [
    /^Block scalar header/,
    () => 'behind | and > stand only an indentation, + or -, and a comment; the text begins on the next line',
  ],
  [
    /^Plain value cannot start with/,
    (character) => `a value that begins with ${character} must be in quotes`,
  ],
  [
    /^Implicit map keys need to be followed by map values/,
    () => 'a key must stand on one line, followed by a colon',
  ],
];

const sentences: Partial<Record<YamlError['code'], string>> = {
  TAB_AS_INDENT: 'indentation is made of spaces, and there is a tab here',
  MULTILINE_IMPLICIT_KEY: 'a key must stand on one line, followed by a colon',
  BLOCK_AS_IMPLICIT_KEY: 'a second colon on this line; put a value that holds a colon in quotes',
  BLOCK_IN_FLOW: 'inside of brackets a comma must stand between two entries, and indentation makes none',
  BAD_DQ_ESCAPE: 'this escape is not known in double quotes; single quotes keep a backslash as it is',
};
