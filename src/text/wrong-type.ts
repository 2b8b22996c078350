import type { Diagnostic } from './diagnostic.ts';
import { type Misfit, problem, subject } from './misfit.ts';
import { quoted } from './quoted.ts';
import { valueAt } from './schema-path.ts';

const typeNames: Readonly<Record<string, string>> = {
  object: 'a mapping',
  array: 'a list',
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
};

/** Says what stands where another type is wanted, and how people come to write it so. */
export function wrongType(misfit: Misfit): Diagnostic {
  const allowed = [misfit.found.params.type]
    .flat()
    .filter((type) => type !== 'null' || misfit.path.length > 0);
  const wanted = allowed.map((type) => typeNames[type] ?? type).join(' or ');
  const value = valueAt(misfit.document.value, misfit.path);
  if (value === null)
    return problem(misfit, 'wrong-type', `${subject(misfit)} must be ${wanted}, and nothing is given`);
  const hint =
    wanted === 'a number' && typeof value === 'string'
      ? numberHint(value)
      : wanted === 'text' && typeof value !== 'object'
        ? 'put it in quotes'
        : undefined;
  const given = wanted === 'a whole number' && typeof value === 'number' ? value : typeNameOf(value);
  return problem(misfit, 'wrong-type', `${subject(misfit)} must be ${wanted}, not ${given}`, hint);
}

/** What to write for a text that people take for a number. */
function numberHint(text: string): string | undefined {
  if (/^-?\d+(\.\d+)?$/.test(text)) return 'remove the quotes';
  if (!/^[-+]?\d[\d.,' ]*$/.test(text)) return undefined;
  const point = text.replace(',', '.');
  if (!/^[-+]?\d+\.\d+$/.test(point)) return 'write it with a decimal point and without other marks: 1500.25';
  const thousands = /^[-+]?\d{1,3},\d{3}$/.test(text) ? `, or ${quoted(text.replace(',', ''))}` : '';
  return `write ${quoted(point)}${thousands}: a number has a decimal point`;
}

/** What a value is, in words: `a list`, `true`. */
export function typeNameOf(value: unknown): string {
  if (typeof value === 'boolean') return String(value);
  return typeNames[Array.isArray(value) ? 'array' : typeof value] ?? typeof value;
}
