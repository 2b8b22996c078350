import { nearest } from '../text/nearest.ts';
import { quoted } from '../text/quoted.ts';

/** What to say about a name that is not declared: the nearest that is, or what there is. */
export function declaredHint(name: string, declared: ReadonlySet<string> | readonly string[]): string {
  const meant = nearest(name, declared);
  if (meant !== undefined) return `did you mean ${quoted(meant)}?`;
  const known = [...declared];
  if (known.length === 0) return 'none are declared yet';
  const shown = known.slice(0, 10).map(quoted).join(', ');
  return known.length > 10 ? `declared are ${shown} and ${known.length - 10} more` : `declared: ${shown}`;
}
