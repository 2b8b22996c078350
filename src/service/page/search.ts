/** What the reader asked for in the address: `?q=TEXT&page=N`. */
export interface PageQuery {
  /** As typed, at most 200 characters; '' for everything. */
  readonly text: string;
  /** From 1. It may be beyond the last page. */
  readonly page: number;
}

const maxText = 200;

/** Reads the query of an address. What is not understood is left out: a page for people has no wrong address. */
export function readPageQuery(parameters: URLSearchParams): PageQuery {
  const text = [...(parameters.get('q') ?? '').trim()].slice(0, maxText).join('');
  const page = /^[1-9]\d{0,8}$/.exec(parameters.get('page') ?? '')?.[0] ?? '1';
  return { text, page: Number(page) };
}

/**
 * Gives whether a record's texts hold every word of `text`, whatever their case and wherever they stand. The
 * script in the page does the same with what is on the page (filter-script.ts).
 */
export function matcher(text: string): (texts: string) => boolean {
  const words = folded(text).split(/\s+/).filter(Boolean);
  return (texts) => {
    const haystack = folded(texts);
    return words.every((word) => haystack.includes(word));
  };
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
