/** The layout of the skyline: one row of towers, or two where they are larger so. */

import type { FinishedCity } from '../protocol';

const FULL = 84; // width of a tower as it is drawn
const MOST_RISE = 3.2; // largest stretch of a floor's height
const LEAST_RISE = 0.45;
const NAME = 4.6; // width of a crest and the longest name, by the size of letters
const PREFERRED = 1.05; // one row is, unless two make towers this much larger

export interface Plan {
  tower: number; // width
  gap: number; // between the towers of a city
  unit: number; // of the drawings
  pitch: number; // from floor to floor
  floor: number; // height of a floor's drawing
  roof: number;
  token: number;
  name: { size: number; crest: number; half: number };
  grounds: number[]; // the ground line of each row
  places: { x: number; middle: number; ground: number }[]; // by city
}

/** The plan for this room; on a large screen everything may be `grown` times as large. */
export function planOf(
  cities: readonly FinishedCity[],
  width: number,
  height: number,
  grown = 1,
): Plan {
  const [one, two] = [1, 2].map((rows) => planIn(rows, cities, width, height, grown));
  return two!.size > one!.size * PREFERRED ? two!.plan : one!.plan;
}

/** The plan in so many rows, and how large the towers are then. */
function planIn(
  rows: number,
  cities: readonly FinishedCity[],
  width: number,
  height: number,
  grown: number,
): { plan: Plan; size: number } {
  const inRow = Math.ceil(cities.length / rows);
  const each = width / inRow;
  const high = height / rows;
  const tower = Math.min(FULL * grown, each * 0.46);
  const gap = Math.min(4 * grown, each * 0.02);
  const unit = tower / FULL;
  const token = Math.max(14, Math.min(34 * grown, tower * 0.56, high * 0.2));
  const size = Math.max(10.5, Math.min(18 * grown, each * 0.15, high * 0.12));
  const below = 6 + token + 5 + size * 1.25;
  const tallest = Math.max(
    1,
    ...cities.flatMap((c) => [c.left.floors.length, c.right.floors.length]),
  );
  const room = high - below - 4 - unit * 7;
  const wanted = room / (unit * (15 * tallest + 22));
  const rise = Math.min(MOST_RISE, Math.max(LEAST_RISE, wanted));
  const grounds = Array.from({ length: rows }, (_, row) => (row + 1) * high - below);
  const places = cities.map((_, city) => {
    const row = Math.floor(city / inRow);
    const count = Math.min(inRow, cities.length - row * inRow);
    const middle = (width - count * each) / 2 + ((city % inRow) + 0.5) * each;
    return { x: middle - tower - gap / 2, middle, ground: grounds[row] ?? 0 };
  });
  return {
    size: wanted < LEAST_RISE || each < size * NAME ? 0 : unit * unit * rise, // 0: too much for it
    plan: {
      tower,
      gap,
      unit,
      pitch: 15 * unit * rise,
      floor: 18 * unit * rise,
      roof: 20 * unit * Math.min(rise, 1.5),
      token,
      name: { size, crest: size * 0.8, half: size * 1.6 },
      grounds,
      places,
    },
  };
}
