import { resolve } from 'node:path';
import { validate } from '../../generated/faults.js';
import schema from '../../schemas/faults.schema.json' with { type: 'json' };
import { faultProblems } from '../service/faults/check-faults.ts';
import type { FaultSettings } from '../service/faults/fault-settings.ts';
import { error, failure, type Result, success } from '../text/diagnostic.ts';
import { readText } from '../text/read-text.ts';
import { schemaProblems } from '../text/schema-problems.ts';
import { sortDiagnostics } from '../text/sort-diagnostics.ts';
import { readYaml } from '../text/yaml.ts';

/** Reads a faults file (DESIGN section 8), JSON or YAML. Every problem gets its place. */
export async function readFaults(path: string, cwd: string): Promise<Result<FaultSettings>> {
  const text = await readText(resolve(cwd, path), path);
  if (!text.ok) return failure(text.problem);
  const { document, diagnostics } = await readYaml(text.source);
  if (document === undefined || diagnostics.length > 0) return failure(...diagnostics);
  if (!validate(document.value)) {
    const problems = schemaProblems(document, schema, validate.errors ?? []);
    return failure(...sortDiagnostics(problems.map(({ diagnostic }) => diagnostic)));
  }
  const settings = document.value as FaultSettings;
  const problems = faultProblems(settings).map(({ path: place, message }) =>
    error('invalid-fault', message, { location: document.locate(place) }),
  );
  return problems.length > 0 ? failure(...sortDiagnostics(problems)) : success(settings);
}
