import type { Finding } from '../../render/model.ts';
import { failed, ok } from './finding.ts';

/** The oldest Node that Trove is tested on, as in `engines` of package.json. */
const OLDEST = { major: 20, minor: 19 };

/** Looks at a version of Node such as `20.19.0`. */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isEnough = major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor);
  const oldest = `${OLDEST.major}.${OLDEST.minor}`;
  if (isEnough) return ok('node', version);
  return failed('node', `${version} is too old for Trove`, `install Node ${oldest} or later`);
}
