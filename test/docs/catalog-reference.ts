/** The part of JSON Schema that the schema of the catalog is written in. */
export interface Schema {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly examples?: readonly unknown[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** Each mapping that a catalog may have, in the order of the page: its name in the schema, and a heading. */
const sections = [
  ['classifier', 'A classifier'],
  ['option', 'An option of a classifier'],
  ['item', 'An item'],
  ['range', 'A range of an attribute'],
  ['lifecycle', '`lifecycle`, of classifiers and items'],
  ['attribute', 'An attribute'],
  ['move', 'An entry of `moved`'],
] as const;

/** Every key of a catalog with its limits, as Markdown, from the schema that editors and `trove validate` use. */
export function catalogReference(schema: Schema): string {
  const definitions = schema.$defs ?? {};
  const unnamed = Object.keys(definitions).filter(
    (name) => definitions[name]?.properties && !sections.some(([each]) => each === name),
  );
  if (unnamed.length > 0) throw new Error(`Give these a heading: ${unnamed.join(', ')}`);
  return `${[
    ...beginning,
    table(schema, schema),
    `A **key** is the name of something in YAML. ${definitions.key?.description} From the first apply on it identifies the record, so a new key needs an entry in \`moved\`.`,
    ...sections.flatMap(([name, heading]) => [
      `## ${heading}`,
      ...described(definitions[name]),
      table(definitions[name] ?? {}, schema),
    ]),
    ...ending,
  ].join('\n\n')}\n`;
}

const beginning = [
  '# The keys of a catalog',
  'Generated from [the schema](../schemas/catalog.schema.json) by `npm run reference`; [an editor](editor.md) shows the same while you type.',
  'Every `*.yaml` and `*.yml` file below the catalog folder belongs to the catalog, except in `environments/`, `state/` and names that begin with a dot. A file is one mapping with any of these keys; how files are split is up to you.',
  `\`\`\`yaml
# yaml-language-server: $schema=../schemas/catalog.schema.json
attributes:
  damage: { description: Damage per hit }
classifiers:
  rarity:
    name: Rarity
    options:
      common: { name: Common, dropRateMultiplier: 1 }
      rare: { name: Rare, dropRateMultiplier: 0.25 }
items:
  iron-sword:
    name: Iron Sword
    rollNumerator: 40
    thumbnail: https://cdn.example/iron-sword.png
    classifiers: { rarity: common }
    attributes: { damage: { min: 3, max: 7 } }
    lifecycle: { protect: true, ignoreChanges: [thumbnail] }
\`\`\``,
];

const ending = [
  '## Other rules',
  `- Keys of classifiers, items and attributes are unique, even across files. Option names are unique within a
  classifier, item IDs within the catalog. Keys that begin with \`trove-probe\` are reserved.
- Every classifier, option and attribute that an item refers to is declared.
- \`ignoreChanges\` accepts \`name\` and \`options\` for a classifier, and any field of an item except \`id\`,
  \`createdAt\`, \`updatedAt\` and \`lifecycle\`. The update that confirms an imported ID still contains every field that an
  update requires.
- An option that keeps its name under a new key keeps its ID: the plan shows the rename, and nothing is sent.
- With \`classifierUpdate.options: replace\`, an option that is assigned to an item is neither renamed nor removed, because
  the item would lose it. Add the new option, assign it, apply, and then remove the old one.
- A move keeps the kind and leads from an address that is no longer declared to one that is, without cycles. It may have
  several steps.
- Numbers are finite and survive as JSON numbers: \`9007199254740993\` and \`014\` are errors. If the service stores a
  number less exactly, the plan shows it as *diverged*.
- A file is UTF-8 and one YAML 1.2 document with at most 100 levels. Anchors, aliases and merge keys (\`<<\`) work; tags
  (\`!!str\`, \`!own\`) do not.`,
  '`trove validate` reports all problems at once, each with its location. Values for one team are in [its\nenvironment](environments.md).',
];

/** Where it says more than the heading. */
function described({ description = '' }: Schema = {}): readonly string[] {
  return description === '' || description.startsWith('One ') ? [] : [description];
}

function table(schema: Schema, root: Schema): string {
  const rows = Object.entries(schema.properties ?? {}).map(([key, property]) => {
    const resolved = { ...definitionOf(property, root), ...property };
    const needed = schema.required?.includes(key) ? ' **(required)**' : '';
    return `| \`${key}\` | ${kindsOf(resolved)} | ${escaped(resolved.description ?? '')}${needed} |`;
  });
  return ['| Key | Value | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

function definitionOf({ $ref }: Schema, root: Schema): Schema {
  return $ref === undefined ? {} : (root.$defs?.[$ref.slice('#/$defs/'.length)] ?? {});
}

const words: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  boolean: '`true` or `false`',
  object: 'mapping',
  array: 'list',
  null: '`null`',
};

function kindsOf({ type = [], enum: values, examples = [] }: Schema): string {
  const kinds = values
    ? values.map((each) => `\`${each}\``).join(' or ')
    : [type]
        .flat()
        .map((each) => words[each] ?? each)
        .join(' or ');
  const [example] = examples;
  const isShort = typeof example === 'string' || typeof example === 'number';
  return isShort ? `${kinds}: \`${example}\`` : kinds;
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
