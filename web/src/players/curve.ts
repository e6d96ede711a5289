/** Points over time, as one line a player. */

interface Graph {
  most: number; // points at its upper edge
  marks: number[]; // points with a line across
  lines: { x: number; y: number }[][]; // by seat: from 0 to 1, y upwards
}

/** A point for every position; points come by position, then by seat. */
export function graphOf(points: readonly (readonly number[])[]): Graph {
  const most = Math.max(10, 10 * Math.ceil(Math.max(...points.flat()) / 10));
  const last = Math.max(1, points.length - 1);
  const every = most > 60 ? 20 : 10;
  const marks = Array.from({ length: Math.floor(most / every) }, (_, index) => (index + 1) * every);
  const seats = points[0]?.length ?? 0;
  const lines = Array.from({ length: seats }, (_, seat) =>
    points.map((all, at) => ({ x: at / last, y: Math.max(0, all[seat] ?? 0) / most })),
  );
  return { most, marks, lines };
}

/** The position under a pointer: from 0 (left) to 1. */
export function positionAt(share: number, positions: number): number {
  const last = positions - 1;
  return Math.min(last, Math.max(0, Math.round(share * last)));
}

/** Where labels stand that would like to stand at these heights, none closer than a gap to another. */
export function spread(
  wanted: readonly number[],
  gap: number,
  top: number,
  bottom: number,
): number[] {
  const order = wanted.map((y, index) => ({ y, index })).sort((a, b) => a.y - b.y);
  let least = top;
  for (const each of order) {
    each.y = Math.max(each.y, least);
    least = each.y + gap;
  }
  let most = bottom;
  for (const each of order.toReversed()) {
    each.y = Math.min(each.y, most);
    most = each.y - gap;
  }
  const found = [...wanted];
  for (const { y, index } of order) found[index] = y;
  return found;
}

/** Every so many turns one position: a round. The last one always counts. */
export function byRound<T>(positions: readonly T[], players: number): T[] {
  const last = positions.length - 1;
  return positions.filter((_, at) => at % players === 0 || at === last);
}

/** A name for the end of a line, cut to so many letters. */
export function shortened(name: string, letters: number): string {
  return name.length > letters ? `${name.slice(0, letters - 1)}…` : name;
}

/** How far a seat's line is moved down, so that lines that run together lie side by side. */
export function sideBySide(seat: number, seats: number): number {
  return (seat - (seats - 1) / 2) * 1.6;
}
