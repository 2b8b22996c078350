import { marked, type Token, type Tokens } from 'marked';
import { describe, expect, test } from 'vitest';
import { diagnosticAnnotations, renderAnnotations } from '../../src/render/annotations.ts';
import { codeCell, codeSpan, prose, renderProblemsMarkdown } from '../../src/render/markdown.ts';
import { explained } from '../../src/render/messages/explain-problem.ts';
import { MARKDOWN_LIMIT, renderPlanMarkdown, renderPlansMarkdown } from '../../src/render/plan-markdown.ts';
import fc from '../rig/property.ts';
import { change, everySection, planOf, withText } from './sample-plan.ts';

const ours = ['action', 'kind', 'method', 'path'];

const markup =
  '| \\ \\| ` ``` `` </details> <!-- <details> [a](https://evil.example) ![a](b) https://evil.example www.evil.example';
const names =
  'a@b.example @octocat #1 GH-1 deadbeef o/r#1 &amp; &#64; :smile: *** ~~ --- $x$ \u202e \u0000 \ud800';
const withBlanks = [
  '\n',
  '\n\n# x\n',
  '<img src=x>',
  '[a]: b',
  '- ',
  '1. ',
  '> ',
  ' ',
  '\t',
  'trove apply',
  "trove apply 'x",
];
const hostilePiece = fc.oneof(
  fc.constantFrom(...markup.split(' '), ...names.split(' '), ...withBlanks),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const hostile = fc
  .array(hostilePiece, { minLength: 1, maxLength: 8 })
  .map((pieces) => pieces.join(''))
  .filter((text) => text !== '');

describe('values in Markdown', () => {
  test.each([
    ['a|b', '`a\\|b`'],
    ['a\\|b', '`a\\\\\\|b`'],
    ['a`b', '``a`b``'],
    ['`', '`` ` ``'],
    ['a\nb', '`a\\nb`'],
    ['', ''],
  ])('become cells of code: %j becomes %s', (value, shown) => expect(codeCell(value)).toBe(shown));

  test('keep plain words as they are and put the rest into code', () => {
    expect(prose('ask @octocat, see #1 or https://evil.example: it is `a b`, 4.4 too (really).')).toBe(
      'ask `@octocat`, see `#1` or `https://evil.example`: it is `a b`, 4.4 too (really).',
    );
    expect(prose('if it does not: trove resolve item.x --not-created')).toBe(
      'if it does not: `trove resolve item.x --not-created`',
    );
    expect(prose('of deadbeef1')).toBe('of `deadbeef1`');
    expect(prose('once (deadbeef) and re-deadbeef')).toBe('once (`deadbeef`) and `re-deadbeef`');
    expect(prose('no (API section 4) [a-code] here (this retires item.a): `b`, f(x) or f(x), y')).toBe(
      'no (API section 4) `[a-code]` here (this retires `item.a`): `b`, `f(x)` or `f(x)`, y',
    );
    expect(prose('4) is no list, and (4) is none')).toBe('`4`) is no list, and (4) is none');
  });

  test('are followed by their length if they are cut', () => {
    expect(codeSpan('x'.repeat(500))).toBe(`\`${'x'.repeat(400)}… (500 characters)\``);
  });
});

describe('a plan as Markdown', () => {
  test('shows values as code, never as markup', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const document = renderPlanMarkdown(withText(everySection, text, ours));
        expect(markupOf(document)).toEqual(markupOf(renderPlanMarkdown(withText(everySection, '%', ours))));
      }),
      { numRuns: 150 },
    );
  });

  test('stays under the size limit, and every table is whole', () => {
    const actions = fc.constantFrom('create', 'update', 'blocked', 'unknown', 'retire', 'unchanged');
    const changes = fc.array(fc.tuple(actions, hostile, fc.nat(40)), { maxLength: 30 });
    fc.assert(
      fc.property(changes, fc.integer({ min: 1, max: 60 }), fc.nat(2000), (some, times, length) => {
        const all = Array.from({ length: times }, () => some).flat();
        const planned = all.map(([action, text, count], at) => {
          const field = { path: text, before: text, after: text.padEnd(length, text) };
          return change(`key-${at}`, action, {
            remoteId: action === 'create' ? null : 'id',
            fields: Array.from({ length: count }, () => field),
            ...(action === 'blocked' && { reason: text.repeat(3), remedies: [text] }),
          });
        });
        const moved = some.map(([, from]) => ({ from: from as never, to: 'item.x' as const }));
        const document = renderPlanMarkdown(planOf(planned, { moved }));
        expect(Buffer.byteLength(document)).toBeLessThanOrEqual(MARKDOWN_LIMIT);
        for (const { header, rows } of tablesOf(document))
          for (const row of rows) expect(row).toHaveLength(header.length);
      }),
      { numRuns: 30 },
    );
  });

  test('that is too large keeps the summary and blocked changes, and counts the rest', () => {
    const field = { path: 'name', before: 'x'.repeat(190), after: 'y'.repeat(190) };
    const many = (count: number, key: string, ...rest: [Parameters<typeof change>[1], object]) =>
      Array.from({ length: count }, (_, at) => change(`${key}-${at}`, ...rest));
    const blocked = { fields: [field], reason: 'of a reason', remedies: ['do it'] };
    const document = renderPlanMarkdown(
      planOf([
        ...many(3000, 'new', 'create', { remoteId: null }),
        ...many(1000, 'item', 'update', { fields: [field] }),
        ...many(30, 'stuck', 'blocked', blocked),
      ]),
    );
    expect(document).toContain('**Plan: 3000 to create, 1000 to update, 30 blocked.**');
    expect(document.match(/item\.stuck-/g)).toHaveLength(30);
    expect(document).toContain('of a reason');
    const shown = document.match(/item\.item-/g)?.length ?? 0;
    expect(shown).toBeGreaterThan(10);
    expect(document).toContain(`… and ${1000 - shown} more; the plan file has them all`);
    const listed = document.match(/item\.new-/g)?.length ?? 0;
    expect(document).toContain(`… and ${3000 - listed} more; the plan file has them all`);
    expect(document.match(/<details>/g)).toHaveLength(document.match(/<\/details>/g)?.length ?? 0);
  });

  test('drops the fields of a blocked change before its remedies', () => {
    const wide = '字'.repeat(390);
    const fields = Array.from({ length: 20 }, () => ({ path: wide, before: wide, after: wide }));
    const stuck = change('stuck', 'blocked', { fields, reason: 'no way', remedies: ['put it back'] });
    const document = renderPlanMarkdown(planOf([stuck]));
    expect(Buffer.byteLength(document)).toBeLessThan(MARKDOWN_LIMIT);
    expect(document).toContain('… and 20 fields; the plan file has them all\n\nno way\n\n- put it back\n');
  });

  test('keeps a shared reason if some of its entries are left out', () => {
    const long = 'x'.repeat(399);
    const fields = Array.from({ length: 5 }, () => ({ path: long, before: long, after: long }));
    const all = Array.from({ length: 50 }, (_, at) =>
      change(`stuck-${at}`, 'blocked', { fields, reason: 'of the shared reason', remedies: ['do it'] }),
    );
    const document = renderPlanMarkdown(planOf(all));
    expect(document).toContain('**50 for the same reason:** of the shared reason\n\n- do it\n\n**');
  });
});

describe('Markdown of several plans or problems', () => {
  test.each([2, 30, 400])('stays under the limit for %i environments, and counts those left out', (count) => {
    const names = Array.from({ length: count }, (_, at) => `team-${at}`);
    const plans = names.map((environment) => ({ ...everySection, environment }));
    const document = renderPlansMarkdown(plans, []);
    expect(Buffer.byteLength(document)).toBeLessThanOrEqual(MARKDOWN_LIMIT);
    const shown = document.match(/^### Plan for /gm)?.length ?? 0;
    expect(shown).toBeGreaterThan(1);
    if (shown < count) expect(document).toContain(`… and ${count - shown} more environments;`);
  });

  test('stays under the limit with many long names of environments', () => {
    const names = Array.from({ length: 200 }, (_, at) => `${'𝕏字'.repeat(150)}-${at}`);
    const document = renderPlansMarkdown(
      names.map((environment) => ({ ...everySection, environment })),
      [],
    );
    const failed = renderPlansMarkdown(
      [],
      names.map((environment) => ({ environment, problems: [] })),
    );
    for (const each of [document, failed])
      expect(Buffer.byteLength(each)).toBeLessThanOrEqual(MARKDOWN_LIMIT);
    expect(document).toMatch(/^… and \d+ more environments; the plan file has them all$/m);
  });

  test('contains no markup of a problem, and one workflow command for each', () => {
    const problem = (text: string) => explained('a-rule', `about ${text}`, { subject: text, hint: text });
    fc.assert(
      fc.property(hostile, (text) => {
        const list = (value: string) => renderProblemsMarkdown('1 problem', [problem(value)], 5000);
        expect(markupOf(list(text))).toEqual(markupOf(list('%')));
        const commands = renderAnnotations(diagnosticAnnotations([problem(text)]), (path) => path);
        expect(commands).toMatch(/^::error title=a-rule::[^\r\n]*\n$/);
        const title = { level: 'error', title: text, lines: [text], place: { file: text, line: 1 } } as const;
        expect(renderAnnotations([title], (path) => path)).toMatch(
          /^::error file=[^:,\r\n]*,line=1,title=[^:,\r\n]*::[^\r\n]*\n$/,
        );
      }),
      { numRuns: 150 },
    );
  });
});

/** All tokens but text and code spans, in order: these are the same whatever the values are. */
function markupOf(document: string): readonly string[] {
  const found: string[] = [];
  marked.walkTokens(marked.lexer(document), (token: Token) => {
    if (token.type === 'text' && !('tokens' in token))
      expect(token.raw).toMatch(/^[\p{L}\d ().,;:?'’…\n-]*$/u);
    if (['text', 'codespan', 'space', 'paragraph', 'list', 'list_item'].includes(token.type)) return;
    found.push(token.type === 'html' ? token.raw.replaceAll(/\d+/g, 'N').trim() : token.type);
  });
  return found;
}

function tablesOf(document: string): readonly Tokens.Table[] {
  return marked.lexer(document).filter((token): token is Tokens.Table => token.type === 'table');
}
