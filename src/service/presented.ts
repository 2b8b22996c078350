import type { Dialect } from './dialect.ts';

/**
 * An answer as the dialect shows it: its timestamps (sections 2.1 to 2.3, format not stated) and the order of its
 * arrays (not promised). What is stored is another thing and stays as it is. `random` gives numbers from 0 to
 * below 1.
 */
export function presented(answer: unknown, dialect: Dialect, random: () => number): unknown {
  if (dialect.timestamps === 'iso' && dialect.arrayOrder === 'stored') return answer;
  const show = (value: unknown, field: string): unknown => {
    if (Array.isArray(value)) {
      const shown = value.map((element) => show(element, ''));
      return dialect.arrayOrder === 'shuffled' ? shuffled(shown, random) : shown;
    }
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, show(inside, name)]));
    }
    const isTime = field === 'createdAt' || field === 'updatedAt';
    return isTime && typeof value === 'string' && dialect.timestamps === 'sql' ? sqlTimestamp(value) : value;
  };
  return show(answer, '');
}

/** `YYYY-MM-DD HH:MM:SS` in UTC. A client's text (section 4.1) that is no ISO 8601 timestamp stays as it is. */
function sqlTimestamp(text: string): string {
  const time = isoTimestamp.test(text) ? Date.parse(text) : Number.NaN;
  const iso = Number.isNaN(time) ? '' : new Date(time).toISOString();
  // A zone can carry a time into a year that has more than four digits, which this format can't write.
  return iso.length === 24 ? iso.slice(0, 19).replace('T', ' ') : text;
}

const isoTimestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** Fisher and Yates: every order is equally likely. */
function shuffled(values: readonly unknown[], random: () => number): unknown[] {
  const left = [...values];
  return values.flatMap(() => left.splice(Math.floor(random() * left.length), 1));
}
