import type { FieldProblem } from './refusal.ts';

/**
 * The fields of a request body that its table in section 4 does not have, at the top and in the objects of its
 * lists. The inside of a field of which the interface shows no shape is left alone.
 */
export function unknownFields<Body>(data: unknown, known: KnownFields<Body>): FieldProblem[] {
  const fields = new Map<string, true | readonly string[]>(Object.entries(known));
  return entriesOf(data).flatMap(([name, value]) => {
    const inside = fields.get(name);
    if (inside === undefined) return [{ field: name, message: unknownMessage }];
    return inside === true || !Array.isArray(value) ? [] : unknownInElements(name, value, inside);
  });
}

function unknownInElements(
  list: string,
  elements: readonly unknown[],
  known: readonly string[],
): FieldProblem[] {
  return elements.flatMap((element, index) =>
    entriesOf(element)
      .filter(([name]) => !known.includes(name))
      .map(([name]) => ({ field: `${list}[${index}].${name}`, message: unknownMessage })),
  );
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

export const unknownMessage = 'is not a field of this request';

/** Every field of a body: true, or for a list of objects the names of their fields. */
export type KnownFields<Body> = {
  readonly [Field in keyof Required<Body>]: true | readonly string[];
};
