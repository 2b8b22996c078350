import { resolve } from 'node:path';
import { validate } from '../../generated/dialect.js';
import schema from '../../schemas/dialect.schema.json' with { type: 'json' };
import type { Dialect } from '../service/dialect.ts';
import { failure, type Result, success } from '../text/diagnostic.ts';
import { readText } from '../text/read-text.ts';
import { schemaProblems } from '../text/schema-problems.ts';
import { sortDiagnostics } from '../text/sort-diagnostics.ts';
import { readYaml } from '../text/yaml.ts';

/** Reads a dialect file (DESIGN section 8), YAML or JSON: the points that differ from the default. */
export async function readDialect(path: string, cwd: string): Promise<Result<Partial<Dialect>>> {
  const text = await readText(resolve(cwd, path), path);
  if (!text.ok) return failure(text.problem);
  const { document, diagnostics } = await readYaml(text.source);
  if (document === undefined || diagnostics.length > 0) return failure(...diagnostics);
  if (!validate(document.value)) {
    const problems = schemaProblems(document, schema, validate.errors ?? []);
    return failure(...sortDiagnostics(problems.map(({ diagnostic }) => diagnostic)));
  }
  const { $schema: _, ...dialect } = document.value as Partial<Dialect> & { readonly $schema?: string };
  return success(dialect);
}
