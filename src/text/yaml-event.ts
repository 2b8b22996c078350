import { EVENT_ID, type Event, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';

/** js-yaml writes -1 where a part of an event is not there. */
export const ABSENT = -1;

/** The offsets of an event's own text: quotes and sigils included, anchor and tag not. */
export function extentOf(event: Event): { readonly start: number; readonly end: number } | undefined {
  switch (event.type) {
    case EVENT_ID.SCALAR:
      return scalarExtent(event);
    case EVENT_ID.ALIAS:
      return { start: event.anchorStart - 1, end: event.anchorEnd };
    case EVENT_ID.SEQUENCE:
    case EVENT_ID.MAPPING:
      return { start: event.start, end: event.start + 1 };
    default:
      return undefined;
  }
}

function scalarExtent(event: ScalarEvent): { readonly start: number; readonly end: number } | undefined {
  if (event.valueStart === ABSENT) {
    if (event.tagStart !== ABSENT) return { start: event.tagStart, end: event.tagEnd };
    if (event.anchorStart !== ABSENT) return { start: event.anchorStart - 1, end: event.anchorEnd };
    return undefined;
  }
  const quotes =
    event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED ? 1 : 0;
  return { start: event.valueStart - quotes, end: event.valueEnd + quotes };
}

/** The index after the node that begins at `at`. */
export function skipNode(events: readonly Event[], at: number): number {
  let depth = 0;
  let index = at;
  do {
    const type = events[index++]?.type;
    if (type === EVENT_ID.POP || type === undefined) depth--;
    else if (type === EVENT_ID.SEQUENCE || type === EVENT_ID.MAPPING) depth++;
  } while (depth > 0);
  return index;
}
