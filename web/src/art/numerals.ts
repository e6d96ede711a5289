/** Numbers as the crests of the cities may show them. */

const ROMAN = ['', 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX'];

/** A capacity, from 1 to 9, in Roman or in our own figures. */
export function numeral(value: number, roman: boolean): string {
  return (roman && ROMAN[value]) || String(value);
}
