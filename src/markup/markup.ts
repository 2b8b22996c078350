/**
 * HTML that is safe to send. Text becomes markup only through `html`, which escapes it, so a value that nobody
 * thought of can't be forgotten: where markup is wanted, a string does not fit the type.
 */
export class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/**
 * The template as it is written, with each value escaped for text and for quoted attributes. A list is put
 * together without separators, `undefined` is nothing.
 */
export function html(template: TemplateStringsArray, ...values: readonly Insertion[]): Markup {
  return new Markup(String.raw({ raw: template }, ...values.map(inserted)));
}

function inserted(value: Insertion): string {
  if (value === undefined) return '';
  if (value instanceof Markup) return value.toString();
  if (typeof value === 'object') return value.map(inserted).join('');
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export type Insertion = Markup | string | number | undefined | readonly Insertion[];
