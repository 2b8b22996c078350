import { escapeTerminal } from '../render/escape.ts';
import type { CommandContext } from './context.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { loadInputs } from './inputs.ts';

/** `trove validate`: everything that is wrong with the catalog and the chosen environment, at once. */
export async function validate(context: CommandContext): Promise<ExitCode> {
  const inputs = await loadInputs(context);
  if (!inputs.ok) {
    context.complain(inputs.diagnostics);
    const count = inputs.diagnostics.length;
    context.note(`\n${count} ${count === 1 ? 'problem' : 'problems'} found.\n`);
    return exitCode.error;
  }
  const { classifiers, items, fileCount, folder } = inputs.value.catalog;
  context.print(
    `${escapeTerminal(folder)} is valid: ${classifiers.size} classifiers and ${items.size} items in ${fileCount} files.\n`,
  );
  return exitCode.done;
}
