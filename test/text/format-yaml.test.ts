import { describe, expect, test } from 'vitest';
import catalogSchema from '../../schemas/catalog.schema.json' with { type: 'json' };
import environmentSchema from '../../schemas/environment.schema.json' with { type: 'json' };
import { formatYaml } from '../../src/text/edit-yaml.ts';
import type { SchemaNode } from '../../src/text/schema-path.ts';

/** What a text becomes; it must stay that when it is formatted again. */
function formatted(text: string, schema: SchemaNode = catalogSchema): string | undefined {
  const once = formatYaml(text, schema);
  if (once !== undefined) expect(formatYaml(once, schema)).toBe(once);
  return once;
}

describe('formatting', () => {
  test('orders keys together with their comments and blank lines', () => {
    const text = `# yaml-language-server: $schema=x
# All swords.

# What was renamed.
moved:
    - { to: item.sword, from: item.blade }
    # Later.

items:
# Iron
    sword:   # a good one
        # Odds.
        rollNumerator: 40 # of 100

        # Shown.
        name: Sword
        # Not drawn yet.
        #   thumbnail: x
    # Wood
    bow: { rollNumerator: 1,  name: Bow }
    # No more.
`;
    expect(formatted(text)).toMatchInlineSnapshot(`
      "# yaml-language-server: $schema=x
      # All swords.

      items:
        # Iron
        sword: # a good one
          # Shown.
          name: Sword

          # Odds.
          rollNumerator: 40 # of 100
          # Not drawn yet.
          #   thumbnail: x
        # Wood
        bow: { name: Bow, rollNumerator: 1 }
        # No more.

      # What was renamed.
      moved:
        - { from: item.blade, to: item.sword }
        # Later.
      "
    `);
  });

  test('keeps a comment that is indented further with the entry above', () => {
    const text = `items:
    a:
        classifiers:
            # slot: hand
        attributes: {}  # none
              # for now
        thumbnail: |-
          x
         # Less than the text.
        rollNumerator: 1
        # Not yet.
        name:
            # Long.
            A
moved:
    # Nothing.
`;
    expect(formatted(text)).toBe(`items:
  a:
    # Not yet.
    name:
      # Long.
      A
    # Less than the text.
    rollNumerator: 1
    thumbnail: |-
      x
    classifiers:
      # slot: hand
    attributes: {}
      # none
      # for now
moved:
  # Nothing.
`);
  });

  test('keeps comments in a list with its elements', () => {
    const text = `moved:
    - from: item.a
      to: item.b
      # in the element
    # above the next
    - from: item.c
      to: item.d
    # - the last
items: {}
`;
    expect(formatted(text)).toBe(`items: {}
moved:
  - from: item.a
    to: item.b
    # in the element
  # above the next
  - from: item.c
    to: item.d
  # - the last
`);
  });

  test.each([
    [
      'a comment below an anchor on a line of its own',
      'items:\n  a:\n   &a\n      # What it is.\n   name: A\n',
      'items:\n  a: &a\n    # What it is.\n    name: A\n',
    ],
    [
      'elements of a list, whose keys are ordered',
      'moved:\n  - to: item.b # new\n    from: item.a\n  - to: item.d\n\n    from: item.c\n',
      'moved:\n  - from: item.a\n    to: item.b # new\n  - from: item.c\n\n    to: item.d\n',
    ],
    [
      'marks of a document, with what follows them',
      '%YAML 1.2\n---\nitems: {}\nmoved:\n - {from: item.a, to: item.b}\n# last\n...\n# behind',
      '%YAML 1.2\n---\nitems: {}\nmoved:\n  - { from: item.a, to: item.b }\n...\n# last\n# behind\n',
    ],
    [
      'tabs before comments and at the ends of lines',
      'items:\t# all\n\t# The first.\n  a:\t\n    rollNumerator: 1\t# one\n\t\n    name: A\n',
      'items: # all\n  # The first.\n  a:\n    name: A\n\n    rollNumerator: 1 # one\n',
    ],
    [
      'a block that begins with another entry, without a blank line',
      'items:\n  a:\n    classifiers: {}\n\n    rollNumerator: 1\n\n    name: A\n',
      'items:\n  a:\n    name: A\n\n    rollNumerator: 1\n\n    classifiers: {}\n',
    ],
    [
      'an explicit key and brackets on several lines, which become a block',
      'items:\n  a: {\n    rollNumerator: 1, # one\n    name: A }\n  b:\n    ? name\n    : A\n',
      'items:\n  a:\n    name: A\n    rollNumerator: 1 # one\n  b:\n    name: A\n',
    ],
    [
      'lines of a long text, which keep their relative places',
      'items:\n    a:\n        thumbnail: |\n            # no comment\n\n              deeper  \n        name: "A\n          B"\n',
      'items:\n  a:\n    name: "A B"\n    thumbnail: |\n      # no comment\n\n        deeper  \n',
    ],
    ['a last Windows line without its line break', 'items: {}\r\nmoved: []', 'items: {}\r\nmoved: []\r\n'],
    [
      'Windows line breaks',
      'items:\r\n  a:\r\n    rollNumerator: 1\r\n    name: A\r\n',
      'items:\r\n  a:\r\n    name: A\r\n    rollNumerator: 1\r\n',
    ],
  ])('tidies %s', (_, text, expected) => {
    expect(formatted(text)).toBe(expected);
  });

  test('orders the settings of an environment by its schema', () => {
    const address = '# where\nbaseUrl: https://x.example/api\n';
    const text = `limits: { maxUpdates: 1, maxCreates: 2 }\nteamId: t\n${address}`;
    const ordered = `${address}teamId: t\nlimits: { maxCreates: 2, maxUpdates: 1 }\n`;
    expect(formatted(text, environmentSchema)).toBe(ordered);
  });
});

describe('formatting', () => {
  test.each([
    ['the order of resources', 'items:\n  b: {}\n  a: {}\n'],
    ['a non-breaking space at the end of a value', 'items: { a: { name: A\u00a0 } }\n'],
    ['an empty file', ''],
    ['a file with only comments', '# a\n\n# b\n'],
    [
      'quotes, escapes and numbers',
      'items:\n  a:\n    name: "\\u00e9\\u200b"\n    rollNumerator: 1.50\n    thumbnail: \'x\'\n',
    ],
  ])('leaves alone %s', (_, text) => {
    expect(formatted(text)).toBe(text);
  });

  test.each([
    ['an anchor before its alias', 'items:\n  a:\n    attributes: &x {}\n    name: A\n    classifiers: *x\n'],
    ['two anchors of one name', 'items:\n  a:\n    rollNumerator: &x 1\n    name: &x A\n  b: { name: *x }\n'],
    [
      'text that only js-yaml accepts',
      'items:\n  a:\n    rollNumerator: 1\n    name: |-\n      A\n\t\n  b: {}\n',
    ],
  ])('refuses a file with %s', (_, text) => {
    expect(formatted(text)).toBe(undefined);
  });
});
