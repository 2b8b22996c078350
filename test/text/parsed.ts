import { SourceText } from '../../src/text/source.ts';
import { type ParsedYaml, parseYaml, readYaml } from '../../src/text/yaml.ts';
import { inWords, rendered } from '../rig/in-words.ts';

export function parse(text: string): ParsedYaml {
  return parseYaml(new SourceText('a.yaml', text));
}

/** Each problem in one line: place, rule, message. */
export function problemsOf({ diagnostics }: ParsedYaml): string[] {
  return inWords(diagnostics).map(({ location, rule, message, related = [] }) => {
    const { line, column } = location?.source.positionAt(location.start) ?? { line: 0, column: 0 };
    const others = related.map((other) => ` (${at(other.location)})`);
    return `${line}:${column} ${rule}: ${message}${others.join('')}`;
  });
}

function at(location: { source: SourceText; start: number }): string {
  const { line, column } = location.source.positionAt(location.start);
  return `${line}:${column}`;
}

export async function shown(text: string): Promise<string> {
  const { diagnostics } = await readYaml(new SourceText('a.yaml', text));
  return rendered(diagnostics);
}
