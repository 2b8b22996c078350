/**
 * Reads a Retry-After header, seconds or an HTTP date, as milliseconds from now (0 when that is past);
 * undefined where there is none or it can't be read. A date is compared with the service's own clock (its
 * Date header) where that is known, so that two clocks that differ do not matter. `now` is in epoch ms.
 */
export function readRetryAfter(
  value: string | undefined,
  date: string | undefined,
  now: number,
): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const until = readHttpDate(text);
  if (until === undefined) return undefined;
  return Math.max(0, until - (readHttpDate(date?.trim() ?? '') ?? now));
}

/** The preferred format of RFC 9110 only: Date.parse alone would take `-5` for a year. */
function readHttpDate(text: string): number | undefined {
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}
