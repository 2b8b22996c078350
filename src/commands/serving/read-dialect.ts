import { validate } from '../../../generated/dialect.js';
import schema from '../../../schemas/dialect.schema.json' with { type: 'json' };
import type { Dialect } from '../../service/dialect.ts';
import { type Result, success } from '../../text/diagnostic.ts';
import { readSettingsFile } from './read-settings-file.ts';

/** Reads a dialect file: the points that differ from the default. */
export async function readDialect(path: string, cwd: string): Promise<Result<Partial<Dialect>>> {
  const read = await readSettingsFile(path, cwd, { validate, schema });
  if (!read.ok) return read;
  const { $schema: _, ...dialect } = read.value.value as Partial<Dialect> & { readonly $schema?: string };
  return success(dialect);
}
