import type { ErrorObject } from 'ajv';
import type { FieldProblem } from './refusal.ts';
import { tooLongMessage } from './text-rules.ts';

/** What a generated validator found, field by field, in words for the caller. */
export function fieldProblems(errors: readonly ErrorObject[] | null | undefined): FieldProblem[] {
  return (errors ?? []).map((error) => {
    const path = fieldName(error.instancePath);
    if (error.keyword !== 'required') return { field: path, message: messageOf(error) };
    const missing: string = error.params.missingProperty;
    return { field: path === '' ? missing : `${path}.${missing}`, message: 'is required' };
  });
}

/** `/itemAttributes/0/min` -> `itemAttributes[0].min`; the body itself is ''. */
function fieldName(pointer: string): string {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps
    .map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('');
}

function messageOf({ keyword, params, message }: ErrorObject): string {
  if (keyword === 'maxLength') return tooLongMessage;
  if (keyword === 'type')
    return `must be ${[params.type]
      .flat()
      .map((type) => described[type] ?? type)
      .join(' or ')}`;
  return message ?? 'is not valid';
}

const described: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  object: 'an object',
  array: 'an array',
};
