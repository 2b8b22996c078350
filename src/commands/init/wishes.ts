import { type Diagnostic, error, failure, type Result, success } from '../../text/diagnostic.ts';
import type { FirstEnvironment } from './first-files.ts';

export interface InitOptions {
  readonly example?: boolean;
  readonly empty?: boolean;
  readonly baseUrl?: string;
  readonly teamId?: string;
}

export interface InitWishes {
  /** The project: the catalog goes below it. */
  readonly folder: string;
  readonly example: boolean;
  /** Undefined: only the embedded service, for now. */
  readonly environment: FirstEnvironment | undefined;
}

/**
 * What the command line says by itself, where nobody can be asked. `named` is the environment of `-e`, undefined where
 * that is `local`.
 */
export function wishesOf(
  { empty, baseUrl, teamId }: InitOptions,
  folder: string | undefined,
  named: string | undefined,
): Result<InitWishes> {
  const wishes = { folder: folder ?? '.', example: empty !== true, environment: undefined };
  if (baseUrl === undefined && teamId === undefined && named === undefined) return success(wishes);
  if (baseUrl === undefined || teamId === undefined)
    return failure(half(baseUrl === undefined ? '--base-url' : '--team-id'));
  return success({ ...wishes, environment: { name: named ?? 'staging', baseUrl, teamId } });
}

function half(missing: string): Diagnostic {
  const message = `an environment has a base URL and a team, and ${missing} is missing`;
  return error('init-environment', message, { hint: 'give --base-url and --team-id, or no environment' });
}
