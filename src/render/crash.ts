import { escapeTerminal } from './escape.ts';

/** A bug of ours, said calmly; the stack only for those who ask. */
export function renderCrash(error: unknown, debug: boolean): string {
  const message = error instanceof Error ? error.message : String(error);
  const stack =
    debug && error instanceof Error && error.stack
      ? `\n${error.stack.split('\n').map(escapeTerminal).join('\n')}`
      : '';
  return `error: this should not happen: ${escapeTerminal(message)}${stack}\n  = help: what was sent and answered is recorded; run it again with --debug and report it\n`;
}
