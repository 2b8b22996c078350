import { type ProfilePoint, profilePoints } from '../../contract/profile.ts';
import type { Environment } from '../../environment/model.ts';
import { counted } from '../../render/counted.ts';
import type { Finding } from '../../render/doctor-text.ts';
import { ok, warning } from './finding.ts';

/** How much Trove may rely on where the interface is silent (DESIGN section 9). */
export function checkProfile({ profile, service, document, name }: Environment, flags: string): Finding {
  const points = Object.keys(profilePoints) as ProfilePoint[];
  if (service.kind === 'embedded') return ok('profile', 'what the embedded service does is known');
  const named = namedPoints(document?.value);
  // `unsupported` may be what somebody found out; where nobody has said it, it only means that nobody knows.
  const unset = points.filter((point) => profile[point] === 'unknown' || !named.has(point));
  if (unset.length === 0) return ok('profile', `all ${points.length} points are set`);
  const message = `${unset.length} of ${counted(points.length, 'point')} are not set; what would need them is blocked`;
  const file = document?.source.path ?? `the file of environment ${name}`;
  return warning(
    'profile',
    message,
    `let Trove find them out: trove probe${flags}, or set what is known below \`profile\` in ${file} (docs/profile.md)`,
  );
}

/** The document is known to fit its schema. */
function namedPoints(value: unknown): ReadonlySet<string> {
  return new Set(Object.keys((value as { readonly profile?: object } | null | undefined)?.profile ?? {}));
}
