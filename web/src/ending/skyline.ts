/** The layout of the skyline: one row of towers, or two where they are larger so. */

import type { FinishedCity } from '../protocol';

const FULL = 84; // width of a tower as it is drawn
const MOST_RISE = 3.2; // largest stretch of a floor's height
const LEAST_RISE = 0.45;
const NAME = 4.6; // width of a crest and the longest name, by the size of letters
const LETTER = 0.47; // width of a letter, likewise
const OPEN = 180; // height of a row in which there is a landscape
const PREFERRED = 1.05; // one row is, unless two make towers this much larger

export interface Plan {
  tower: number; // width
  gap: number; // between the towers of a city
  unit: number; // of the drawings
  pitch: number; // from floor to floor
  floor: number; // height of a floor's drawing
  roof: number;
  token: number;
  name: { size: number; crest: number };
  mast: number; // height of a flag above its roof
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
  const room = (high - below - 4 - unit * 7) * 0.92; // flags wave above
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
      name: { size, crest: size * 0.8 },
      mast: Math.min(26 * grown, Math.max(9, room * 0.09)),
      grounds,
      places,
    },
  };
}

/** Where the crest and the name of a city begin, so that both stand in its middle. */
export function nameOn(middle: number, name: string, { size, crest }: Plan['name']): number {
  return middle - (crest + 3 + name.length * LETTER * size) / 2;
}

interface Landscape {
  hills: string[]; // paths, the farther ones first
  trees: { x: number; y: number; high: number }[]; // cypresses
}

const RIDGES = [
  { height: 0.4, swell: 0.1, waves: [2.3, 5.9], shift: 0.6 },
  { height: 0.2, swell: 0.08, waves: [3.1, 7.7], shift: 2.9 },
] as const;
const TREES = [0.115, 0.12, 0.126, 0.33, 0.336, 0.478, 0.755, 0.761, 0.767, 0.92]; // along the near ridge

/** The land behind the towers; none where a row of them is low. */
export function landscapeOf({ grounds }: Plan, width: number, high: number): Landscape {
  if (high < OPEN) return { hills: [], trees: [] };
  const ridge = (ground: number, which: 0 | 1, along: number) => {
    const { height, swell, waves, shift } = RIDGES[which];
    const wave =
      Math.sin(waves[0] * Math.PI * along + shift) + 0.4 * Math.sin(waves[1] * Math.PI * along);
    return ground - high * (height + swell * wave);
  };
  const hill = (ground: number, which: 0 | 1) => {
    const points = Array.from({ length: 97 }, (_, at) => {
      const y = ridge(ground, which, at / 96);
      return `${((at / 96) * width).toFixed(1)} ${y.toFixed(1)}`;
    });
    return `M0 ${ground}L${points.join('L')}L${width} ${ground}z`;
  };
  return {
    hills: grounds.flatMap((ground) => [hill(ground, 0), hill(ground, 1)]),
    trees: grounds.flatMap((ground) =>
      TREES.map((along, number) => ({
        x: along * width,
        y: ridge(ground, 1, along) + 2,
        high: high * (0.1 + 0.02 * (number % 3)),
      })),
    ),
  };
}
