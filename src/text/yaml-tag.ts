import type { DocumentDirective } from 'js-yaml';

const CORE = 'tag:yaml.org,2002:';

/** The full name of a tag as written (`!!str`, `!<tag:yaml.org,2002:str>`, `!e!thing`); `!` stays `!`. */
export function fullTagName(raw: string, directives: readonly DocumentDirective[]): string {
  if (raw === '!') return raw;
  if (raw.startsWith('!<')) return raw.slice(2, -1);
  const end = raw.indexOf('!', 1);
  const handle = end === -1 ? '!' : raw.slice(0, end + 1);
  const declared = directives.find((directive) => directive.kind === 'tag' && directive.handle === handle);
  const prefix = declared?.kind === 'tag' ? declared.prefix : handle === '!!' ? CORE : handle;
  return prefix + raw.slice(handle.length);
}
