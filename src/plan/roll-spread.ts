/** A histogram: how many values are at least `from` and below `to`; the last bin also has its `to`. */
export interface Spread {
  readonly bins: readonly {
    readonly from: number;
    readonly to: number;
    readonly before: number;
    readonly after: number;
  }[];
  /** `steps`: bins of one width. `orders`: 1, 2, 5, 10, 20 and so on, where values differ by orders of magnitude. */
  readonly scale: 'steps' | 'orders';
}

const MOST_BINS = 16;
/** From here on bins of one width would put nearly everything into the first. */
const ORDERS_FROM = 200;

/** Both sides over the same bins, with round edges. Undefined without values, and where no such edges exist. */
export function rollSpread(before: readonly number[], after: readonly number[]): Spread | undefined {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of [...before, ...after]) [least, most] = [Math.min(least, value), Math.max(most, value)];
  if (least > most) return undefined;
  const scale = least > 0 && most / least >= ORDERS_FROM ? 'orders' : 'steps';
  const edges = scale === 'orders' ? orders(least, most) : steps(least, most);
  if (edges.length < 2 || !edges.every(Number.isFinite)) return undefined;
  const bins = edges.slice(1).map((to, at) => ({ from: edges[at] ?? to, to, before: 0, after: 0 }));
  const count = (side: 'before' | 'after', value: number) => {
    const bin = bins.findLast(({ from }) => from <= value);
    if (bin) bin[side]++;
  };
  for (const value of before) count('before', value);
  for (const value of after) count('after', value);
  return { bins, scale };
}

/** The smallest round width of which so many bins suffice. */
function steps(least: number, most: number): readonly number[] {
  const span = most - least || Math.abs(most) || 1;
  if (!Number.isFinite(span)) return [];
  const exponent = Math.floor(Math.log10(span / MOST_BINS));
  for (const step of [1, 2, 5, 10, 20, 50].map((factor) => power(factor, exponent))) {
    const first = Math.floor(least / step);
    const last = Math.max(Math.ceil(most / step), first + 1);
    if (last - first <= MOST_BINS)
      return Array.from({ length: last - first + 1 }, (_, index) => rounded((first + index) * step));
  }
  return [];
}

function orders(least: number, most: number): readonly number[] {
  const [first, last] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(most))];
  const every = Math.ceil((last - first) / MOST_BINS);
  const factors = (last - first) * 3 <= MOST_BINS ? [1, 2, 5] : [1];
  const edges: number[] = [];
  for (let exponent = first; exponent < last + every; exponent += every)
    for (const factor of factors) edges.push(power(factor, exponent));
  const from = edges.findLastIndex((edge) => edge <= least);
  const to = edges.findIndex((edge) => edge >= most);
  return edges.slice(Math.max(0, from), to + 1);
}

/** Read as decimals, since 10 ** -5 is not 0.00001 in every engine. */
function power(factor: number, exponent: number): number {
  return Number(`${factor}e${exponent}`);
}

/** Without the dust of binary fractions: 0.30000000000000004 is 0.3. */
function rounded(value: number): number {
  return Number(value.toPrecision(12));
}
