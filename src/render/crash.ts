import { escapeTerminal } from './escape.ts';
import { wrap, wrapWords } from './wrap.ts';

/** A bug of ours, said calmly; the stack only for those who ask. */
export function renderCrash(error: unknown, debug: boolean): string {
  const message = withoutPattern(error instanceof Error ? error.message : String(error));
  const stack =
    debug && error instanceof Error && error.stack
      ? `\n${withoutPattern(error.stack).split('\n').map(escapeTerminal).join('\n')}`
      : '';
  const said = wrapWords(`error: this should not happen: ${escapeTerminal(message)}`, '', ' '.repeat(7));
  const hint = 'what was sent and answered is recorded; run it again with --debug and report it';
  return `${said.join('\n')}${stack}\n${wrap(hint, '  = help: ', ' '.repeat(10)).join('\n')}\n`;
}

/** A pattern may be made of anything, so that it is not repeated. */
function withoutPattern(text: string): string {
  return text.replace(/(Invalid regular expression).*?(?=\n {4}at |$)/s, '$1');
}
