import { renderSettings } from '../../render/command-texts.ts';
import { type DialectPoint, defaultDialect, dialectPoints } from '../../service/dialect.ts';
import { success } from '../../text/diagnostic.ts';
import type { CommandContext } from '../invocation/context.ts';
import { type ExitCode, exitCode } from '../invocation/exit-code.ts';
import { readDialect } from './read-dialect.ts';

/**
 * `trove serve --print-dialect`: every point with its value and what else it can be, as the
 * dialect file says where there is one.
 */
export async function printDialect(context: CommandContext, file: string | undefined): Promise<ExitCode> {
  const read = file === undefined ? success({}) : await readDialect(file, context.io.cwd);
  if (!read.ok) {
    context.complain(read.diagnostics);
    return exitCode.error;
  }
  const dialect = { ...defaultDialect, ...read.value };
  const rows = (Object.keys(dialectPoints) as DialectPoint[]).map((point) => ({
    name: point,
    value: String(dialect[point]),
    values: dialectPoints[point].map(String),
  }));
  context.print(renderSettings(rows));
  return exitCode.done;
}
