import { resolve } from 'node:path';
import { validate } from '../../generated/world.js';
import schema from '../../schemas/world.schema.json' with { type: 'json' };
import type { World } from '../service/world.ts';
import { failure, type Result, success } from '../text/diagnostic.ts';
import { readText } from '../text/read-text.ts';
import { schemaProblems } from '../text/schema-problems.ts';
import { sortDiagnostics } from '../text/sort-diagnostics.ts';
import { readYaml } from '../text/yaml.ts';

/** Reads a world file (DESIGN section 8). It is JSON, which is YAML: every problem gets its place. */
export async function readWorld(path: string, cwd: string): Promise<Result<World>> {
  const text = await readText(resolve(cwd, path), path);
  if (!text.ok) return failure(text.problem);
  const { document, diagnostics } = await readYaml(text.source);
  if (document === undefined || diagnostics.length > 0) return failure(...diagnostics);
  if (validate(document.value)) return success(document.value as World);
  const problems = schemaProblems(document, schema, validate.errors ?? []);
  return failure(...sortDiagnostics(problems.map(({ diagnostic }) => diagnostic)));
}
