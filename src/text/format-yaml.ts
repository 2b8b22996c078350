import { isMap, isScalar, isSeq, type Pair, type Scalar, type YAMLMap } from 'yaml';
import { editYaml, valueIn } from './edit-yaml.ts';
import { type Path, type SchemaNode, schemaAt } from './schema-path.ts';

/**
 * The text in the one form that all files have, with the keys of its schema in the order in which that lists them.
 * Undefined where it can't be formatted safely. `text` is one YAML document without problems.
 */
export function formatYaml(text: string, schema: SchemaNode): string | undefined {
  if (valueIn(text) === null) return text;
  return editYaml(text, ({ contents }) => sortKeys(contents, [], schema));
}

function sortKeys(node: unknown, path: Path, schema: SchemaNode): void {
  if (isSeq(node)) for (const [at, item] of node.items.entries()) sortKeys(item, [...path, at], schema);
  if (!isMap(node)) return;
  sortPairs(node, Object.keys(schemaAt(schema, path).properties ?? {}));
  for (const { key, value } of node.items)
    if (isScalar(key)) sortKeys(value, [...path, String(key.value)], schema);
}

/** A mapping with other keys keeps its order: it is that of a user. */
function sortPairs(map: YAMLMap, names: readonly string[]): void {
  const rank = ({ key }: Pair) => ['<<', ...names].indexOf(isScalar(key) ? String(key.value) : '');
  if (map.items.some((pair) => rank(pair) === -1)) return;
  const [first] = map.items as Pair<Scalar>[];
  map.items.sort((one, other) => rank(one) - rank(other));
  const [newFirst] = map.items as Pair<Scalar>[];
  if (!first || !newFirst || first === newFirst) return;
  // A block does not begin with a blank line; the one above an entry goes to the one that was the first.
  first.key.spaceBefore = newFirst.key.spaceBefore ?? false;
  newFirst.key.spaceBefore = false;
}
