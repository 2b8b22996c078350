import { type ProfilePoint, profilePoints } from '../../contract/profile.ts';
import type { Environment } from '../../environment/model.ts';
import { dependent } from '../../probe/open-points.ts';
import type { Finding } from '../../render/model.ts';
import { pluralize as counted } from '../../text/pluralize.ts';
import type { Standing } from './check-state.ts';
import { ok, warning } from './finding.ts';

/** How much Trove may rely on where the interface is silent. */
export function checkProfile(
  { profile, service, document, name }: Environment,
  standing: Standing | undefined,
  flags: string,
): Finding {
  const points = Object.keys(profilePoints) as ProfilePoint[];
  if (service.kind === 'embedded') return ok('profile', 'what the embedded service does is known');
  const named = namedPoints(document?.value);
  // `unsupported` may be what somebody found out; where nobody has said it, it only means that nobody knows.
  const told = (point: ProfilePoint) => (named.has(point) ? profile[point] : undefined);
  const unset = points.filter(
    (point) => (profile[point] === 'unknown' || !named.has(point)) && !dependent(point, told),
  );
  if (unset.length === 0) {
    const isWhole = points.every((point) => named.has(point));
    return ok(
      'profile',
      isWhole ? `all ${points.length} points are set` : 'every point that can be told is set',
    );
  }
  const are = unset.length === 1 ? 'is not set; what would need it' : 'are not set; what would need them';
  const message = `${unset.length} of ${counted(points.length, 'point')} ${are} is blocked`;
  const file = document?.source.path ?? `the file of environment ${name}`;
  return warning(
    'profile',
    message,
    standing && !standing.recorded
      ? `to find out by experiment, if the team is new: trove probe${flags} --new-environment`
      : `to find out by experiment: trove probe${flags}`,
    `or set what is known below \`profile\` in ${file} (docs/profile.md)`,
  );
}

/** The document is known to fit its schema. */
function namedPoints(value: unknown): ReadonlySet<string> {
  return new Set(Object.keys((value as { readonly profile?: object } | null | undefined)?.profile ?? {}));
}
