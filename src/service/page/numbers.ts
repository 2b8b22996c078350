import { html, type Markup } from '../../markup/markup.ts';

/** A number exactly as JSON has it, in figures of one width. */
export function shownNumber(value: number): Markup {
  return html`<span class="number">${String(value)}</span>`;
}

/**
 * Numbers of one column, each followed by spaces as wide as the figures that it lacks: aligned to the right,
 * their decimal points stand below each other. A column with very long fractions is left as it is.
 */
export function alignedNumbers(values: readonly number[]): readonly Markup[] {
  const widest = Math.max(0, ...values.map(fractionLength));
  return values.map((value) => {
    const lacking = widest - fractionLength(value);
    const point = lacking === widest && widest > 0 ? pointSpace : '';
    const padding = widest > maxAligned ? '' : point + figureSpace.repeat(lacking);
    return html`<span class="number">${String(value)}${padding}</span>`;
  });
}

function fractionLength(value: number): number {
  return /\.(\d+)/.exec(String(value))?.[1]?.length ?? 0;
}

const maxAligned = 6;
const pointSpace = '\u2008';
const figureSpace = '\u2007';
