import type { Location } from './source.ts';

/** Where `fragment` stands inside a place; the whole place where it is not written there as it is. */
export function partOf(place: Location, fragment: string): Location {
  const at = place.source.text.slice(place.start, place.end).indexOf(fragment);
  if (at === -1) return place;
  const start = place.start + at;
  return { source: place.source, start, end: start + fragment.length };
}
