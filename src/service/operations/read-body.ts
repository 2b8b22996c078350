import type { ErrorObject } from 'ajv';
import type { Dialect } from '../dialect.ts';
import { fieldProblems } from '../field-problems.ts';
import { done, type FieldProblem, invalidBody, type Outcome, refused } from '../refusal.ts';
import { type KnownFields, unknownFields } from '../unknown-fields.ts';

/**
 * Holds a body to its published schema and then to the rules that the schema can't say. `Body` is what the
 * schema describes; further fields are let through and ignored unless the dialect refuses them.
 */
export function readBody<Body>(
  data: unknown,
  { validate, known, problemsOf }: BodyRules<Body>,
  dialect: Dialect,
): Outcome<Body> {
  const problems = [
    ...(validate(data) ? problemsOf(data as Body) : fieldProblems(validate.errors)),
    ...(dialect.unknownFields === 'rejected' ? unknownFields(data, known) : []),
  ];
  return problems.length > 0 ? refused(invalidBody(problems)) : done(data as Body);
}

/** Names every element that equals an earlier one; `fields` are the names of the elements' places. */
export function repetitions(values: readonly string[], fields: readonly string[]): FieldProblem[] {
  const first = new Map<string, number>();
  return values.flatMap((value, index) => {
    const before = first.get(value);
    if (before === undefined) first.set(value, index);
    return before === undefined ? [] : [{ field: fields[index] ?? '', message: `repeats ${fields[before]}` }];
  });
}

export interface BodyRules<Body> {
  readonly validate: Validator;
  readonly known: KnownFields<Body>;
  /** Is asked where the schema has nothing to say. */
  readonly problemsOf: (body: Body) => readonly FieldProblem[];
}

interface Validator {
  (data: unknown): boolean;
  errors?: ErrorObject[] | null;
}
