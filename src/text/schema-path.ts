/** The parts of a JSON Schema that messages are made from. */
export interface SchemaNode {
  readonly type?: unknown;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly properties?: Readonly<Record<string, SchemaNode>> | undefined;
  readonly additionalProperties?: boolean | SchemaNode | undefined;
  readonly items?: SchemaNode | undefined;
  readonly $ref?: string | undefined;
  readonly $defs?: Readonly<Record<string, SchemaNode>> | undefined;
}

export type Path = readonly (string | number)[];

/** A JSON pointer as a path into `value`: steps into lists become numbers. */
export function pathOf(pointer: string, value: unknown): Path {
  let current = value;
  return pointer
    .split('/')
    .slice(1)
    .map((step) => {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
      const key = Array.isArray(current) ? Number(name) : name;
      current = childOf(current, key);
      return key;
    });
}

/** Whether a value of YAML or JSON has named parts. */
export function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The part of a value that a path leads to; undefined where it leads nowhere. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce(childOf, value);
}

function childOf(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string | number, unknown>>)[key];
}

/** The schema that the value at `path` has to fit. */
export function schemaAt(root: SchemaNode, path: Path): SchemaNode {
  let node = root;
  for (const step of path) {
    const { properties, items, additionalProperties } = resolveRef(root, node);
    const others = typeof additionalProperties === 'object' ? additionalProperties : {};
    const named = properties && Object.hasOwn(properties, step) ? properties[step] : undefined;
    node = typeof step === 'number' ? (items ?? {}) : (named ?? others);
  }
  return resolveRef(root, node);
}

function resolveRef(root: SchemaNode, node: SchemaNode): SchemaNode {
  const name = node.$ref?.replace('#/$defs/', '');
  return name === undefined ? node : { ...node, ...root.$defs?.[name] };
}

/** A path as people write it: `attributes.damage.min`, `moved[0].from`. */
export function shownPath(path: Path): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index ? `.${step}` : step))
    .join('');
}
