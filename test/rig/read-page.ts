/** Ids of the items that the page shows, in its order. */
export function itemIds(body: string): readonly string[] {
  return [...body.matchAll(/<span class="id"><bdi>([^<]*)<\/bdi><\/span>/g)]
    .map(([, id = '']) => id)
    .slice(1);
}

/** Words and addresses of the links to other pages. */
export function linksOf(body: string): readonly (readonly [string, string])[] {
  const pager = /<nav class="pager"[\s\S]*?<\/nav>/.exec(body)?.[0] ?? '';
  return [...pager.matchAll(/<a href="([^"]*)"[^>]*>([^<]*)<\/a>/g)].map(([, href = '', text = '']) => [
    text,
    unescaped(href),
  ]);
}

/** What can be read on the page, with one space between elements. */
export function textOf(body: string): string {
  const visible = body.replace(
    /<(style|script|title|p|kbd)( [^>]* hidden| hidden)?>([\s\S]*?)<\/\1>/g,
    (element, tag, hidden) => (tag === 'p' && !hidden ? element : ''),
  );
  return unescaped(visible.replace(/<[^>]*>/g, ' ')).replace(/[ \n\u2007\u2008]+/g, ' ');
}

/** Text of an element or attribute as a browser would take it. */
export function unescaped(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
