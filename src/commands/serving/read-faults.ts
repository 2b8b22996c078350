import { validate } from '../../../generated/faults.js';
import schema from '../../../schemas/faults.schema.json' with { type: 'json' };
import { type FaultSettings, faultProblems } from '../../service/faults/fault-settings.ts';
import { error, failure, type Result, success } from '../../text/diagnostic.ts';
import { sortDiagnostics } from '../../text/problem-list.ts';
import { readSettingsFile } from './read-settings-file.ts';

/** Reads a faults file, and holds it to the rules beyond its schema. */
export async function readFaults(path: string, cwd: string): Promise<Result<FaultSettings>> {
  const read = await readSettingsFile(path, cwd, { validate, schema });
  if (!read.ok) return read;
  const settings = read.value.value as FaultSettings;
  const problems = faultProblems(settings).map(({ path: place, message }) =>
    error('invalid-fault', message, { location: read.value.locate(place) }),
  );
  return problems.length > 0 ? failure(...sortDiagnostics(problems)) : success(settings);
}
