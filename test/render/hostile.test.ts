import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { renderApplyText } from '../../src/render/apply-text.ts';
import { renderSpaces } from '../../src/render/command-texts.ts';
import { renderCrash } from '../../src/render/diagnostics.ts';
import type { ExplainedPlan, ExplainedReport } from '../../src/render/messages/explain-plan.ts';
import { renderPlanText } from '../../src/render/plan-text.ts';
import { renderPending } from '../../src/render/state-show-text.ts';
import { lineWidth } from '../../src/render/terminal.ts';
import fc from '../rig/property.ts';
import { everySection, withText } from './sample-plan.ts';
import { links, pending } from './sample-records.ts';
import { everyResult, reader } from './sample-report.ts';

/** Controls, line separators, marks that turn or hide text, halves of surrogate pairs. */
const UNPRINTABLE =
  /[\p{Cc}\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/u;

/** The only escapes are the colours that we put there ourselves. */
const OUR_COLOR = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');

const hostilePiece = fc.oneof(
  fc.constantFrom(
    ...['\u001b[2J', '\u001b]8;;https://evil.example\u0007', '\u009b31m', '\r', '\n', '\t', '\b', '\u202e'],
    ...['\u2028', '\u0000', '\ud800', '::error::x', ' ', ': trove apply'],
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const hostile = fc.array(hostilePiece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));

/** Words of which the terminal shows one cell a character, none longer than what a line has room for. */
const words = fc
  .array(fc.stringMatching(/^[a-zA-Z0-9:.]{1,12}$/), { minLength: 1, maxLength: 30 })
  .map((list) => list.join(' '));

/** Ours: enumerations, which no catalog or service can choose. */
const OURS = ['action', 'result', 'kind', 'method', 'operation', 'outcome'];
/** One word each in every catalog and answer that is read at all, or the place of one. */
const ONE_WORD = ['address', 'remoteId', 'id', 'file', 'path', 'at'];

type Render = (text: string, color: boolean, kept?: readonly string[]) => string;

/** The reason of a service's error is an enumeration; that of a result is a sentence. */
const reportWith = (text: string, kept: readonly string[]): ExplainedReport => ({
  ...withText(everyResult, text, [...kept, 'reason']),
  results: everyResult.results.map((each) => ({
    ...withText(each, text, [...kept, 'reason']),
    ...(each.reason !== undefined && { reason: text }),
  })),
});

const renderers: Readonly<Record<string, Render>> = {
  plan: (text, color, kept = OURS) =>
    renderPlanText(withText<ExplainedPlan>(everySection, text, kept), color),
  report: (text, color, kept = OURS) => renderApplyText(reportWith(text, kept), color, reader),
  'wrong team': (text, color) => {
    const halt = { kind: 'wrong-team', expected: text, answered: text } as const;
    return renderApplyText({ ...everyResult, halt }, color, reader);
  },
  journal: (text, color) =>
    renderApplyText({ ...everyResult, halt: { kind: 'journal', message: text } }, color, reader),
  pending: (text, _color, kept = OURS) =>
    renderPending(
      withText(pending, text, kept).map((create) => ({ create, isSettledNext: true })),
      '',
    ),
  spaces: (text) => renderSpaces(text, withText(links, text, [])),
  'no spaces': (text) => renderSpaces(text, []),
  crash: (text) => renderCrash(new Error(text), true),
  'crash without an error': (text) => renderCrash(text, false),
};

describe('text from a catalog or a service', () => {
  test.each(Object.entries(renderers))('is escaped in the output for %s', (_, render) => {
    fc.assert(
      fc.property(hostile, fc.boolean(), (text, color) => {
        const shown = render(text, color).replaceAll(OUR_COLOR, '');
        for (const line of shown.split('\n')) expect(line).not.toMatch(UNPRINTABLE);
      }),
    );
  });

  test.each(Object.entries(renderers).filter(([name]) => name !== 'crash'))(
    'adds no line to the output for %s',
    (_, render) => {
      const lines = (text: string) => render(text, false).split('\n').length;
      expect(lines('a\nb')).toBe(lines('a..b'));
    },
  );

  test.each(['plan', 'report', 'wrong team', 'journal'])(
    'is the same with color in the output for %s',
    (name) => {
      const render = named(name);
      fc.assert(
        fc.property(words, (text) => {
          expect(render(text, true)).toContain('\u001b[');
          expect(stripVTControlCharacters(render(text, true))).toBe(render(text, false));
        }),
      );
    },
  );
});

describe('lines', () => {
  test.each(['plan', 'report', 'wrong team', 'journal', 'pending'])(
    'fit 80 columns in a %s with texts of any length',
    (name) => {
      const render = named(name);
      fc.assert(
        fc.property(words, (text) => {
          const lines = render(text, false, [...OURS, ...ONE_WORD]).split('\n');
          // A single long word, or a command to copy, may be longer.
          expect(
            lines.filter((line) => line.length > lineWidth() && !/^\s*(?:\S+|trove .*)$/.test(line)),
          ).toEqual([]);
        }),
      );
    },
  );
});

function named(name: string): Render {
  const render = renderers[name];
  if (!render) throw new Error(`No renderer ${name}`);
  return render;
}
