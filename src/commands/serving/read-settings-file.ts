import { resolve } from 'node:path';
import type { ErrorObject } from 'ajv';
import { failure, type Result, success } from '../../text/diagnostic.ts';
import { problemsIn, sortDiagnostics } from '../../text/problem-list.ts';
import { readText } from '../../text/read-file.ts';
import type { SchemaNode } from '../../text/schema-path.ts';
import { schemaProblems } from '../../text/schema-problems.ts';
import { readYaml, type YamlDocument } from '../../text/yaml.ts';

/**
 * Reads one of the files that are settings of `trove serve`, YAML or JSON, which is YAML too:
 * a document that fits its schema, or every problem at its place. `path` is as it was typed in the folder `cwd`.
 */
export async function readSettingsFile(
  path: string,
  cwd: string,
  shape: Shape,
): Promise<Result<YamlDocument>> {
  const text = await readText(resolve(cwd, path), path, { path: cwd, called: 'the working folder' });
  if (!text.ok) return failure(text.problem);
  const { document, diagnostics } = await readYaml(text.source);
  if (document === undefined || diagnostics.length > 0) return failure(...diagnostics);
  const { validate, schema } = shape;
  if (validate(document.value)) return success(document);
  const problems = schemaProblems(document, schema, validate.errors ?? []);
  return failure(...sortDiagnostics(problemsIn(problems, ({ describe }) => describe)));
}

interface Shape {
  readonly schema: SchemaNode;
  /** The validator that the build makes of the schema. */
  readonly validate: ((value: unknown) => boolean) & { errors?: ErrorObject[] | null };
}
