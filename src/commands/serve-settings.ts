import { resolve } from 'node:path';
import type { ErrorObject } from 'ajv';
import { validate as isDialect } from '../../generated/dialect.js';
import { validate as isFaults } from '../../generated/faults.js';
import { validate as isWorld } from '../../generated/world.js';
import dialectSchema from '../../schemas/dialect.schema.json' with { type: 'json' };
import faultsSchema from '../../schemas/faults.schema.json' with { type: 'json' };
import worldSchema from '../../schemas/world.schema.json' with { type: 'json' };
import { concealSecrets } from '../environment/credentials.ts';
import type { Dialect } from '../service/dialect.ts';
import { type FaultSettings, faultProblems } from '../service/faults/fault-settings.ts';
import type { World } from '../service/world.ts';
import { type Diagnostic, error, failure, type Result, success } from '../text/diagnostic.ts';
import { problemsIn, sortDiagnostics } from '../text/problem-list.ts';
import { readText } from '../text/read-file.ts';
import type { SchemaNode } from '../text/schema-path.ts';
import { schemaProblems } from '../text/schema-problems.ts';
import { readYaml, type YamlDocument } from '../text/yaml.ts';

/** Reads a dialect file: the points that differ from the default. */
export async function readDialect(path: string, cwd: string): Promise<Result<Partial<Dialect>>> {
  const read = await readSettingsFile(path, cwd, { validate: isDialect, schema: dialectSchema });
  if (!read.ok) return read;
  const { $schema: _, ...dialect } = read.value.value as Partial<Dialect> & { readonly $schema?: string };
  return success(dialect);
}

/** Reads a faults file, and holds it to the rules beyond its schema. */
export async function readFaults(path: string, cwd: string): Promise<Result<FaultSettings>> {
  const read = await readSettingsFile(path, cwd, { validate: isFaults, schema: faultsSchema });
  if (!read.ok) return read;
  const settings = read.value.value as FaultSettings;
  const problems = faultProblems(settings).map(({ path: place, message }) =>
    error('invalid-fault', message, { location: read.value.locate(place) }),
  );
  return problems.length > 0 ? failure(...sortDiagnostics(problems)) : success(settings);
}

/** Reads a world file. */
export async function readWorld(path: string, cwd: string): Promise<Result<World>> {
  const read = await readSettingsFile(path, cwd, {
    validate: isWorld,
    schema: worldSchema,
    hasSecrets: true,
  });
  return read.ok ? success(read.value.value as World) : read;
}

/**
 * Reads one of the files that are settings of `trove serve`, YAML or JSON, which is YAML too:
 * a document that fits its schema, or every problem at its place. `path` is as it was typed in the folder `cwd`.
 */
async function readSettingsFile(path: string, cwd: string, shape: Shape): Promise<Result<YamlDocument>> {
  const text = await readText(resolve(cwd, path), path, { path: cwd, called: 'the working folder' });
  const { validate, schema, hasSecrets = false } = shape;
  if (!text.ok) return failure({ ...text.problem, ...(hasSecrets && { concealed: true }) });
  const { document, diagnostics } = await readYaml(text.source);
  const refused = (found: readonly Diagnostic[]) =>
    failure(...(hasSecrets ? concealSecrets(found, text.source) : found));
  if (document === undefined || diagnostics.length > 0) return refused(diagnostics);
  if (validate(document.value)) return success(document);
  const problems = schemaProblems(document, schema, validate.errors ?? []);
  return refused(sortDiagnostics(problemsIn(problems, ({ describe }) => describe)));
}

interface Shape {
  readonly schema: SchemaNode;
  /** No message quotes it. */
  readonly hasSecrets?: boolean;
  /** The validator that the build makes of the schema. */
  readonly validate: ((value: unknown) => boolean) & { errors?: ErrorObject[] | null };
}
