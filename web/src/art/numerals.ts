/** Numerals on the crests of the cities, Roman or Arabic. */

const ROMAN = ['', 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX'];

/** A capacity, from 1 to 9, in Roman or Arabic numerals. */
export function numeral(value: number, roman: boolean): string {
  return (roman && ROMAN[value]) || String(value);
}

// How much wider than one figure the Roman numerals of capacities are, in sizes of their letters.
const WIDER: Record<string, number> = { V: 0.1, VII: 0.75, IX: 0.42 };

/** How much wider than one figure a numeral is, in sizes of its letters. */
export function widthBeyondFigure(written: string): number {
  return WIDER[written] ?? 0;
}
