/** Who was ahead from when on, by the points. */

/** The turn from which on one seat had more points than everybody else; null if there is none. */
export function aheadFrom(curve: readonly (readonly number[])[], seat: number): number | null {
  const leads = (points: readonly number[]) =>
    points.every((each, other) => other === seat || each < (points[seat] ?? 0));
  let turn = curve.length;
  while (turn > 0 && leads(curve[turn - 1]!)) turn -= 1;
  return turn < curve.length ? turn : null;
}
