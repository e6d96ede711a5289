/** Numerals on the crests of the cities, Roman or Arabic. */

const ROMAN = ['', 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX'];

/** A capacity, from 1 to 9, in Roman or Arabic numerals. */
export function numeral(value: number, roman: boolean): string {
  return (roman && ROMAN[value]) || String(value);
}
