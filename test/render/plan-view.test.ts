import { expect, test } from 'vitest';
import { renderPlanMarkdown } from '../../src/render/plan-markdown.ts';
import { renderPlanText } from '../../src/render/plan-text.ts';
import { groupChanges, planView } from '../../src/render/plan-view.ts';
import { renderReviewPage } from '../../src/render/review/review-page.ts';
import { textOf } from '../rig/read-page.ts';
import { change, everySection, planOf } from './sample-plan.ts';

const stuck = (key: string, reason = 'nothing can find it', remedies = [`trove import item.${key} ID`]) =>
  change(key, 'blocked', { reason, remedies });

const grouped = (changes: Parameters<typeof groupChanges>[0]) =>
  groupChanges(changes).map(({ reason, remedies, changes }) => ({
    reason,
    remedies,
    addresses: changes.map(({ address }) => address).join(' '),
  }));

const reason = 'nothing can find it';

test('many changes that differ only in their own address are grouped', () => {
  expect(grouped([...'abcd'].map((key) => stuck(key)))).toEqual([
    { reason, remedies: ['trove import ADDRESS ID'], addresses: 'item.a item.b item.c item.d' },
  ]);
});

test('a reason appears once, and a few changes keep commands that work as typed', () => {
  expect(grouped([stuck('a'), stuck('x', 'another'), stuck('c')])).toEqual([
    { reason, remedies: ['trove import item.a ID', 'trove import item.c ID'], addresses: 'item.a item.c' },
    { reason: 'another', remedies: ['trove import item.x ID'], addresses: 'item.x' },
  ]);
});

test('a remedy common to a few changes appears once', () => {
  const few = [...'ab'].map((key) => stuck(key, reason, ['put it back', `trove import item.${key} ID`]));
  const remedies = ['put it back', 'trove import item.a ID', 'trove import item.b ID'];
  expect(grouped(few)).toEqual([{ reason, remedies, addresses: 'item.a item.b' }]);
});

test('a question about two changes stays with them and keeps its addresses', () => {
  const question = 'item.a is gone and item.b is new: is it the same?';
  const remedies = ['trove apply --confirm-new item.b'];
  const few = [...'ab'].map((key) => stuck(key, question, remedies));
  expect(grouped(few)).toEqual([{ reason: question, remedies, addresses: 'item.a item.b' }]);
});

test('an address that starts with the address of a change is not replaced', () => {
  const entries = [...'abcd'].map((key) => stuck(key, reason, [`trove import item.${key}-sword ID`]));
  expect(grouped(entries)).toHaveLength(4);
});

test('text, Markdown and page have the same changes, order and titles', () => {
  const more = [...'abcde'].map((key) => stuck(key, key === 'c' ? 'another' : reason));
  const sentBefore = change('reel', 'create', { remoteId: null, name: 'Reel', reason: 'sent before' });
  const plan = planOf([...more, ...everySection.changes, sentBefore]);
  const { sections } = planView(plan);
  const rows = sections.flatMap(({ groups }) => groups.flatMap(({ changes }) => changes));
  const addresses = rows.map(({ address }) => address);
  expect(addresses).toHaveLength(plan.changes.length);
  const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, match]) => match);
  const [markdown, page] = [renderPlanMarkdown(plan), renderReviewPage([{ plan }])];
  expect(
    found(renderPlanText(plan, false), /^(?:. [a-z]+ +|[ :\d]{13})((?:item|classifier)\.\S+)/gm),
  ).toEqual(addresses);
  expect(found(markdown, /^(?:\*\*|\| \d+ \| )`((?:item|classifier)\.[^`]+)`/gm)).toEqual(addresses);
  expect(found(page, /<summary>.*?<code>([^<]+)<\/code>/g)).toEqual(addresses);
  const titles = sections.map(({ title, count }) => `${title} (${count})`);
  expect(found(markdown, /^(?:#### |<details><summary>)(.+?\))/gm)).toEqual(titles);
  expect(found(page, /<h2 class="title">(.+?)<\/h2>/g).map((title = '') => textOf(title).trim())).toEqual(
    sections.map(({ title, count }) => `${title} ${count}`),
  );
});

test('numbers in addresses and files are sorted as numbers', () => {
  const source = (file: string, line: number) => ({ file, line, column: 1 });
  const keys = ['relic-10', 'relic-2', 'relic-1'];
  const updates = keys.map((key) => change(key, 'update'));
  const creates = keys.map((key, line) =>
    change(`new-${key}`, 'create', { source: source('items-10.yaml', line) }),
  );
  const other = change('a', 'create', { source: source('items-2.yaml', 1) });
  const { sections } = planView(planOf([...updates, ...creates, other]));
  expect(sections.map(({ groups }) => groups.map(({ changes }) => changes.map(({ key }) => key)))).toEqual([
    [['relic-1', 'relic-2', 'relic-10']],
    [['a'], ['new-relic-1', 'new-relic-2', 'new-relic-10']],
  ]);
});
