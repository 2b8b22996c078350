import { validate } from '../../../generated/world.js';
import schema from '../../../schemas/world.schema.json' with { type: 'json' };
import type { World } from '../../service/world.ts';
import { type Result, success } from '../../text/diagnostic.ts';
import { readSettingsFile } from './read-settings-file.ts';

/** Reads a world file. */
export async function readWorld(path: string, cwd: string): Promise<Result<World>> {
  const read = await readSettingsFile(path, cwd, { validate, schema });
  return read.ok ? success(read.value.value as World) : read;
}
