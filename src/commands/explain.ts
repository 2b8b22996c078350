import guide from '../../docs/problems.md?raw';
import { inColor, linesOf, styled, textOf, wrap } from '../render/terminal.ts';
import type { CommandContext } from './context.ts';
import { refuse } from './exit-code.ts';

/** `trove explain [CODE]`: what docs/problems.md has about a code, or every code that it has. */
export async function explain({ print, color }: CommandContext, given: string | undefined): Promise<void> {
  // As messages show it.
  const code = given?.replace(/^\[(.*)\]$/, '$1');
  const groups = groupsIn(guide);
  const sections = groups.flatMap((group) => group.sections);
  const found = sections.find(({ codes }) => code !== undefined && codes.includes(code));
  if (code !== undefined && !found)
    refuse('unknown-code', { code, known: sections.flatMap(({ codes }) => codes) });
  print(inColor(color.stdout, found ? sectionText(found) : listText(groups)));
}

interface Section {
  readonly codes: readonly string[];
  /** Markdown: paragraphs, lists and fenced code. */
  readonly body: string;
}

interface Group {
  readonly title: string;
  readonly sections: readonly Section[];
}

/** A group is below a heading of level 2, a section below one of level 3 that names its codes. */
function groupsIn(markdown: string): readonly Group[] {
  const [, ...groups] = markdown.split(/^## /m);
  return groups.map((group) => {
    const [title = '', ...sections] = group.split(/^### /m);
    return { title: title.trim(), sections: sections.map(sectionOf) };
  });
}

function sectionOf(text: string): Section {
  const [codes = '', ...body] = text.split('\n');
  return { codes: codes.split(', '), body: body.join('\n').trim() };
}

function listText(groups: readonly Group[]): string {
  return groups
    .map(({ title, sections }) =>
      textOf(styled('bold', title), wrap(sections.flatMap(({ codes }) => codes).join(', '), '  ')),
    )
    .join('\n');
}

function sectionText({ codes, body }: Section): string {
  return textOf(
    wrap(codes.join(', ')).map((line) => styled('bold', line)),
    body.split(/\n{2,}/).flatMap((block) => ['', ...blockLines(block)]),
  );
}

function blockLines(block: string): readonly string[] {
  const code = /^```\w*\n([\s\S]*?)\n```$/.exec(block)?.[1];
  if (code !== undefined) return code.split('\n').map((line) => `    ${line}`.trimEnd());
  const items = block.split(/\n(?=- )/);
  return linesOf(...items.map((item) => wrap(plainText(item), '', item.startsWith('- ') ? '  ' : '')));
}

/** Without line breaks, and with the file of a link: a link that is a sentence says to see it. */
function plainText(markdown: string): string {
  return markdown
    .replace(/\s*\n\s*/g, ' ')
    .replace(/(^|[.:] )\[([^\]]+)\]\(([^)#]+)[^)]*\)/g, `$1See "$2" in Trove's docs/$3.`)
    .replace(/\[([^\]]+)\]\(([^)#]+)[^)]*\)/g, "$1 (Trove's docs/$2)");
}
