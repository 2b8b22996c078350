import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];

/** Puts a format around a text, or leaves it alone where no colour is wanted. The text is not escaped here. */
export type Style = (format: Format, text: string) => string;

export function styleFor(color: boolean): Style {
  return color
    ? (format, text) => styleText(format, text, { validateStream: false })
    : (_format, text) => text;
}

/** Colour is wanted on a terminal, unless NO_COLOR says no; FORCE_COLOR says yes everywhere but for `0`. */
export function wantsColor(
  stream: { readonly isTTY?: boolean },
  env: NodeJS.ProcessEnv,
  noColor: boolean,
): boolean {
  if (noColor) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0';
  return env.NO_COLOR === undefined || env.NO_COLOR === ''
    ? stream.isTTY === true && env.TERM !== 'dumb'
    : false;
}
