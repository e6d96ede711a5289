/** Where everything on the board lies, in pixels: the cities fill the room there is. */

import { ROADS, type ViewCityCode, type ViewPair } from '../protocol';
import { citiesOf } from '../turn/notation';

export interface Room {
  width: number;
  height: number;
}

export interface Box extends Room {
  x: number;
  y: number;
}

interface Words {
  x: number;
  y: number; // the line they stand on
  size: number;
}

export interface Plan extends Box {
  shape: 'column' | 'band'; // a city's name stands beside its towers, or above them
  city: Room & { round: number };
  gap: { x: number; y: number };
  crest: Box | null; // in a city, as all that follows
  band: number; // its height; 0: there is none
  name: Words;
  count: Words;
  done: Words | null; // that it is complete; null: there is no room to say so
  tower: { width: number; ground: number; top: number; left: number; right: number };
  token: { size: number; y: number }; // its middle
  card: Box;
  road: { x: number; y: number }; // where roads leave downwards and sideways: clear of names and cards
  messenger: number; // its length
}

const clamp = (least: number, value: number, most: number) =>
  Math.max(least, Math.min(value, most));

const TALLEST = 1.55; // of a city: height by width
const WIDEST = 2.5; // width by height
const CARD = 1.4375; // height of a card by its width
const LETTERED = 34.5; // pixels from which on the letters on a small card can be read
export const NAMED = 76; // from so many pixels on, the name on a card can be read
const UPRIGHT = 1.5; // cities wider than that have their names beside their towers,
const TIGHT = 24; // unless their towers were narrower than that
const LEAST_BAND = 16.5; // px: its letters can be read

/** The board in a room: upright or across, as large as it can be. */
export function planFor(room: Room): Plan {
  const gap = {
    x: Math.round(clamp(5, room.width * 0.019, 36)),
    y: Math.round(clamp(5, room.height * 0.021, 28)),
  };
  const free = {
    width: Math.max(90, (room.width - 2 * gap.x) / 3),
    height: Math.max(60, (room.height - 3 * gap.y) / 4),
  };
  const width = Math.min(free.width, free.height * WIDEST);
  const height = Math.min(free.height, free.width * TALLEST);
  const whole = { width: 3 * width + 2 * gap.x, height: 4 * height + 3 * gap.y };
  return {
    x: (room.width - whole.width) / 2,
    y: (room.height - whole.height) / 2,
    ...whole,
    gap,
    ...shaped(width, height),
  };
}

function shaped(width: number, height: number): CityPlan {
  const plan = inColumn(width, height);
  const fits = width / height >= UPRIGHT && plan.tower.width >= TIGHT;
  return fits ? plan : underBand(width, height);
}

type CityPlan = Omit<Plan, 'x' | 'y' | 'width' | 'height' | 'gap'>;

/** A city that is wider than high: crest and name, the towers, the card. */
function inColumn(width: number, height: number): CityPlan {
  const unit = Math.min(height / 168, width / 304);
  const name = Math.max(12.5, 21 * unit);
  const count = Math.max(11, 15 * unit);
  const edge = Math.max(4.5, 12 * unit);
  const column = Math.max(name * 3.6, 78 * unit) + edge; // the longest name, and air
  const crest = Math.min(54 * unit, height - name - count - 3 * edge);
  const token = Math.max(21, 29 * unit);
  const rest = width - column - 3 * edge;
  const card = Math.max(LETTERED, Math.min(rest * 0.34, (height - 2 * edge) / CARD));
  const tower = (rest - card) / 2;
  const messenger = Math.max(30, 46 * unit);
  const lines = edge + crest * 1.2 + name * 0.98;
  return {
    shape: 'column',
    city: { width, height, round: Math.max(7, 12 * unit) },
    crest: { x: edge, y: edge, width: crest, height: crest * 1.2 },
    band: 0,
    name: { x: edge, y: lines, size: name },
    count: { x: edge, y: lines + count * 1.35, size: count },
    done: unit > 0.8 ? { x: edge, y: lines + count * 2.75, size: count } : null,
    tower: {
      width: tower,
      ground: height - token - 6 * unit - 1,
      top: 5 * unit,
      left: column + edge + tower / 2,
      right: column + edge + tower * 1.5,
    },
    token: { size: token, y: height - token / 2 - 3 * unit },
    card: {
      x: width - card - edge,
      y: (height - card * CARD) / 2,
      width: card,
      height: card * CARD,
    },
    road: { x: column + edge * 0.4, y: height - messenger * 0.22 - 3 },
    messenger,
  };
}

/** A city that is about as high as wide: a band with its name, below it the towers and the card. */
function underBand(width: number, height: number): CityPlan {
  const wanted = Math.min(clamp(17, width * 0.115 + 7, 44), height * 0.19);
  const band = Math.max(LEAST_BAND, Math.round(wanted));
  const edge = Math.max(3, width * 0.027);
  const token = clamp(21, width * 0.17, 48);
  const card = Math.min(width * 0.305, (height - band - 2 * edge) / CARD);
  const rest = width - card - 4 * edge;
  const tower = rest / 2;
  const crest = width > 170 ? band * 0.62 : 0;
  return {
    shape: 'band',
    city: { width, height, round: Math.max(8, width * 0.05) },
    crest: crest
      ? { x: edge * 1.6, y: (band - crest * 1.2) / 2, width: crest, height: crest * 1.2 }
      : null,
    band,
    name: { x: edge * 2 + (crest && crest + edge), y: band * 0.73, size: band * 0.7 },
    count: { x: width - edge * 2, y: band * 0.72, size: Math.max(11, band * 0.6) },
    done: null,
    tower: {
      width: tower,
      ground: height - token - edge,
      top: band + edge,
      left: edge + tower / 2,
      right: edge * 2 + tower * 1.5,
    },
    token: { size: token, y: height - token / 2 - edge * 0.6 },
    card: {
      x: width - card - edge,
      y: height - card * CARD - edge,
      width: card,
      height: card * CARD,
    },
    road: { x: width - card - edge * 2.2, y: (band + height - card * CARD - edge) / 2 },
    messenger: clamp(30, width * 0.22, 60),
  };
}

const PLACES: Record<ViewCityCode, [column: number, row: number]> = {
  MI: [0, 0],
  PA: [1, 0],
  VE: [2, 0],
  LU: [0, 1],
  FE: [2, 1],
  SI: [0, 2],
  BO: [2, 2],
  RO: [0, 3],
  PI: [1, 3],
  FI: [2, 3],
};

/** Reading order, for the keyboard and for screen readers. */
export const ORDER: ViewCityCode[] = ['MI', 'PA', 'VE', 'LU', 'FE', 'SI', 'BO', 'RO', 'PI', 'FI'];

export function cityBox(plan: Plan, code: ViewCityCode): Box {
  const [column, row] = PLACES[code];
  const { width, height } = plan.city;
  return {
    x: plan.x + column * (width + plan.gap.x),
    y: plan.y + row * (height + plan.gap.y),
    width,
    height,
  };
}

/** The middle of the board, where the pile lies; without Pistoia it reaches down to the edge. */
export function middleBox(plan: Plan, pistoia = true): Box {
  const rows = pistoia ? 2 : 3;
  const upper = cityBox(plan, 'PA');
  return {
    x: upper.x,
    y: upper.y + upper.height + plan.gap.y,
    width: upper.width,
    height: rows * upper.height + (rows - 1) * plan.gap.y,
  };
}

interface Road {
  pair: ViewPair;
  x: number; // middle
  y: number;
  length: number;
  vertical: boolean;
}

/** The roads between the cities in play. */
export function roads(plan: Plan, cities: readonly ViewCityCode[]): Road[] {
  return ROADS.filter((pair) => citiesOf(pair).every((code) => cities.includes(code))).map((pair) =>
    road(plan, pair),
  );
}

function road(plan: Plan, pair: ViewPair): Road {
  const [one, two] = citiesOf(pair).map((code) => cityBox(plan, code)) as [Box, Box];
  const vertical = one.x === two.x;
  if (vertical) {
    const [upper, lower] = one.y < two.y ? [one, two] : [two, one];
    const top = upper.y + upper.height;
    const x = upper.x + plan.road.x;
    return { pair, x, y: (top + lower.y) / 2, length: lower.y - top, vertical };
  }
  const [left, right] = one.x < two.x ? [one, two] : [two, one];
  const from = left.x + left.width;
  return {
    pair,
    x: (from + right.x) / 2,
    // Roads through the middle of the board have lanes of their own.
    y: left.y + (right.x - from > plan.city.width ? left.height / 2 : plan.road.y),
    length: right.x - from,
    vertical,
  };
}
