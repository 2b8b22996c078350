import type { ErrorObject } from 'ajv';
import { type Diagnostic, error } from './diagnostic.ts';
import { nearest } from './nearest.ts';
import { ProblemList } from './problem-list.ts';
import { type Path, pathOf, type SchemaNode, schemaAt, shownPath, valueAt } from './schema-path.ts';
import type { YamlDocument } from './yaml.ts';

/**
 * A validator's errors about one document as problems with places, one for each cause. `already` are the problems that
 * reading the document gave: what stands at the place of one of them is not complained about again.
 */
export function schemaProblems(
  document: YamlDocument,
  schema: SchemaNode,
  found: readonly ErrorObject[],
  already: readonly Diagnostic[] = [],
): readonly Diagnostic[] {
  const known = new Set(already.map(({ location }) => location?.start));
  const problems = new ProblemList();
  // A value that is not known is complained about already.
  const isKnown = ({ instancePath }: ErrorObject) =>
    !Number.isNaN(valueAt(document.value, pathOf(instancePath, document.value)));
  for (const each of withoutEchoes(found).filter(isKnown)) {
    const describe = () => problemOf(each, document, schema);
    if (known.size === 0 || !known.has(describe().location?.start)) problems.add(describe);
  }
  return problems.all();
}

/** Keywords that only repeat what others say, and missing properties that an unknown one was meant to be. */
function withoutEchoes(found: readonly ErrorObject[]): ErrorObject[] {
  const missing = new Map<string, string[]>();
  for (const { instancePath, keyword, params } of found) {
    if (keyword !== 'required') continue;
    missing.set(instancePath, [...(missing.get(instancePath) ?? []), params.missingProperty]);
  }
  for (const { instancePath, keyword, params } of found) {
    const names = missing.get(instancePath);
    if (keyword !== 'additionalProperties' || !names) continue;
    const meant = nearest(params.additionalProperty, names);
    missing.set(
      instancePath,
      names.filter((name) => name !== meant),
    );
  }
  return found.flatMap((one) => {
    if (['propertyNames', 'if'].includes(one.keyword) || one.schemaPath.includes('/oneOf')) return [];
    if (one.keyword !== 'required') return [one];
    const names = missing.get(one.instancePath) ?? [];
    missing.delete(one.instancePath);
    return names.length > 0 ? [{ ...one, params: { names } }] : [];
  });
}

function problemOf(
  { instancePath, keyword, params, propertyName, message }: ErrorObject,
  document: YamlDocument,
  schema: SchemaNode,
): Diagnostic {
  const path = pathOf(instancePath, document.value);
  const given = valueAt(document.value, path);
  // By the last name on the way to it: `name`, `slot[1]`.
  const from = path.findLastIndex((step) => typeof step === 'string');
  const of = path.length === 0 ? null : shownPath(path.slice(Math.max(0, from)));
  const at = (...below: Path) => ({ location: document.locate([...path, ...below]) });
  const atKey = (...below: Path) => ({ location: document.locate([...path, ...below], 'key') });
  switch (keyword) {
    case 'type':
      return error('wrong-type', { of, wanted: [params.type].flat(), given }, at());
    case 'additionalProperties': {
      const name = String(params.additionalProperty);
      const { properties = {}, title } = schemaAt(schema, path);
      // An environment's file in the wrong place may have a password there.
      const concealed = path.length === 0 && ({ concealed: 'excerpt' } as const);
      return error(
        'unknown-property',
        { name, of: title, known: properties },
        { ...atKey(name), ...concealed },
      );
    }
    case 'required':
      return error('missing-property', { of, missing: params.names }, atKey());
    case 'dependentRequired': {
      const values = { of: params.property, missing: [params.missingProperty], isAlso: true };
      return error('missing-property', values, atKey(params.property));
    }
    case 'minLength':
    case 'maxLength':
      return error('text-length', { of, length: [...String(given)].length, most: params.limit }, at());
    case 'minItems':
      return error('invalid-value', { why: 'empty', of }, at());
    case 'minimum':
      return error('invalid-value', { why: 'too-small', of, least: params.limit }, at());
    case 'pattern': {
      if (propertyName !== undefined) return error('invalid-key', { key: propertyName }, atKey(propertyName));
      const wanted = schemaAt(schema, path).description;
      return error('invalid-value', { why: 'other-form', of, given, wanted }, at());
    }
    case 'enum':
      return error('invalid-value', { why: 'other-value', of, given, allowed: params.allowedValues }, at());
    case 'uniqueItems': {
      const [first, later] = [params.i, params.j].sort((one, other) => one - other);
      const related = [{ role: 'first-listed', ...at(first) }] as const;
      return error('repeated-value', { of, entry: valueAt(given, [later]) }, { ...at(later), related });
    }
    default:
      return error('invalid-value', { why: 'other', of, problem: message }, at());
  }
}
