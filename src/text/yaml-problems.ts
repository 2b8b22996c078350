import {
  type AliasEvent,
  EVENT_ID,
  type Event,
  getScalarValue,
  type MappingEvent,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml';
import { type Diagnostic, error } from './diagnostic.ts';
import type { ProblemList } from './problem-list.ts';
import { quoted } from './quoted.ts';
import type { Location, SourceText } from './source.ts';
import { extentOf, skipNode } from './yaml-event.ts';

/** What is being read, and what is wrong with it so far. */
export interface ProblemLog {
  readonly source: SourceText;
  readonly events: readonly Event[];
  readonly problems: ProblemList;
}

export function reportProblem(
  log: ProblemLog,
  event: Event | undefined,
  rule: string,
  message: string,
  rest: Pick<Diagnostic, 'hint' | 'related'> = {},
): void {
  log.problems.add(() => error(rule, message, { location: locationOf(log, event), ...rest }));
}

export function reportUnknownTag(log: ProblemLog, event: ScalarEvent | SequenceEvent | MappingEvent): void {
  const tag = quoted(log.source.text.slice(event.tagStart, event.tagEnd));
  const location = { source: log.source, start: event.tagStart, end: event.tagEnd };
  const hint = 'remove the tag';
  log.problems.add(() => error('unknown-tag', `the tag ${tag} is not known here`, { location, hint }));
}

export function reportKey(log: ProblemLog, keyAt: number, key: unknown): void {
  if (typeof key === 'number' && reportDecimalComma(log, log.events[keyAt])) return;
  const collection = typeof key === 'object' && key !== null;
  const shown = collection ? 'a collection' : key === null ? 'null' : `a ${typeof key}`;
  const hint = collection ? {} : { hint: 'put the key in quotes' };
  const message = `a key must be text, and this one is read as ${shown}`;
  reportProblem(log, log.events[keyAt], 'non-string-key', message, hint);
}

/** Between braces a comma ends the value: what was meant as the number `1,5` reads as 1 and then a key 5. */
function reportDecimalComma({ source, problems }: ProblemLog, event: Event | undefined): boolean {
  const key = event && extentOf(event);
  const whole = key && /[-+]?\d+,$/.exec(source.text.slice(Math.max(0, key.start - 20), key.start))?.[0];
  if (!whole) return false;
  const location = { source, start: key.start - whole.length, end: key.end };
  const number = source.text.slice(location.start, location.end);
  const hint = `write ${quoted(number.replace(',', '.'))}`;
  const message = `the comma in ${quoted(number)} ends the value`;
  problems.add(() => error('decimal-comma', message, { location, hint }));
  return true;
}

export function reportPrototypeKey(log: ProblemLog, keyAt: number): void {
  const hint = 'choose another key';
  reportProblem(log, log.events[keyAt], 'reserved-key', 'the key `__proto__` is not allowed', { hint });
}

export function reportMerge(log: ProblemLog, keyAt: number): void {
  const message = 'a merge key `<<` takes a mapping or a list of mappings';
  const hint = 'give it an alias such as `*defaults`';
  reportProblem(log, log.events[keyAt], 'bad-merge', message, { hint });
}

export function reportDuplicate(log: ProblemLog, mappingAt: number, keyAt: number, key: string): void {
  log.problems.add(() => {
    const message = `the key ${quoted(key)} is declared twice in this mapping`;
    const related = relatedTo(log, firstKeyAt(log, mappingAt, keyAt, key), 'first declared here');
    return error('duplicate-key', message, { location: locationOf(log, log.events[keyAt]), related });
  });
}

export function reportUnknownAlias(log: ProblemLog, event: AliasEvent, name: string): void {
  const message = `no anchor ${quoted(`&${name}`)} comes before this alias`;
  reportProblem(log, event, 'unknown-alias', message);
}

export function reportSelfAlias(log: ProblemLog, event: AliasEvent, name: string, anchorAt: number): void {
  const message = `the alias ${quoted(`*${name}`)} refers to the node that it stands in`;
  const related = relatedTo(log, anchorAt, 'the anchor that it stands in');
  reportProblem(log, event, 'self-alias', message, { related });
}

export function reportExpansion(log: ProblemLog, event: AliasEvent, limit: number): void {
  const message = `the aliases of this file stand for more than ${limit} values`;
  reportProblem(log, event, 'alias-limit', message, { hint: 'write fewer or smaller aliases' });
}

/** Where a key of the mapping at `mappingAt` stands first; asked only when there is a problem to report. */
function firstKeyAt(log: ProblemLog, mappingAt: number, before: number, key: string): number {
  let at = mappingAt + 1;
  while (at < before) {
    const event = log.events[at];
    if (event?.type === EVENT_ID.SCALAR && getScalarValue(log.source.text, event) === key) return at;
    at = skipNode(log.events, skipNode(log.events, at));
  }
  return mappingAt;
}

function relatedTo(log: ProblemLog, at: number, message: string): NonNullable<Diagnostic['related']> {
  return [{ message, location: locationOf(log, log.events[at]) }];
}

function locationOf(log: ProblemLog, event: Event | undefined): Location {
  const extent = (event && extentOf(event)) ?? extentBefore(log, event);
  return { source: log.source, ...extent };
}

/** Of an empty key there is nothing to show; then it is what was written before it. */
function extentBefore(log: ProblemLog, event: Event | undefined): { start: number; end: number } {
  for (let at = event ? log.events.indexOf(event) : 0; at > 0; at--) {
    const earlier = log.events[at - 1];
    const extent = earlier && extentOf(earlier);
    if (extent) return extent;
  }
  return { start: 0, end: 0 };
}
