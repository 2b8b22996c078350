/** In which order the keys of a mapping are written, and what is known of the mappings below it. */
export interface KeyOrder {
  /** Empty where the order is the user's. */
  readonly keys: readonly string[];
  /** Undefined where nothing is known below `key`. For an element of a list any key will do. */
  below(key: string): KeyOrder | undefined;
}

/** The parts of a JSON Schema that say what may stand where. */
interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly additionalProperties?: unknown;
  readonly items?: unknown;
}

/** The order in which a JSON Schema lists its properties is the order in which files have them. */
export function keyOrder(schema: object): KeyOrder {
  return orderOf(schema, schema);
}

function orderOf(part: Schema, root: object): KeyOrder {
  const { properties = {}, additionalProperties, items } = resolved(part, root);
  return {
    keys: Object.keys(properties),
    below: (key) => {
      const next = Object.hasOwn(properties, key) ? properties[key] : (items ?? additionalProperties);
      return isObject(next) ? orderOf(next, root) : undefined;
    },
  };
}

/** What stands beside a reference adds to it and never has properties of its own here. */
function resolved(part: Schema, root: object): Schema {
  if (part.$ref === undefined) return part;
  const target = part.$ref
    .split('/')
    .slice(1)
    .reduce<unknown>((at, name) => (isObject(at) ? Reflect.get(at, name) : undefined), root);
  return isObject(target) ? resolved(target, root) : {};
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
