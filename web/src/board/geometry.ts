/** Where everything on the board lies: one plan for wide screens, one for a phone held upright. */

import type { ViewCityCode, ViewPair } from '../protocol';
import { citiesOf } from '../turn/notation';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Plan {
  name: 'wide' | 'narrow';
  width: number;
  height: number;
  city: { width: number; height: number };
  gap: { x: number; y: number };
  tower: { width: number; ground: number; top: number; left: number; right: number }; // in a city
  token: { size: number; y: number }; // its middle
  card: Box; // in a city
}

const LEAST = 304; // width of a city on a wide board
const MOST = 372;

/** A wide board: the cities are as broad as the room allows. */
export function widePlan(room: { width: number; height: number }): Plan {
  const height = 726;
  const fitting = ((room.width / Math.max(1, room.height)) * height - 48) / 3;
  const width = Math.round(Math.min(MOST, Math.max(LEAST, fitting)));
  const spare = (width - LEAST) / (MOST - LEAST); // 0 to 1
  const tower = 62 + 22 * spare;
  const left = 111 + 4 * spare + tower / 2;
  const card = 52 + 8 * spare;
  return {
    name: 'wide',
    width: 3 * width + 48,
    height,
    city: { width, height: 168 },
    gap: { x: 24, y: 18 },
    tower: { width: tower, ground: 134, top: 10, left, right: left + tower + 4 },
    token: { size: 28, y: 150 },
    card: { x: width - card - 9, y: 84 - card * 0.7, width: card, height: card * 1.4 },
  };
}

export const NARROW: Plan = {
  name: 'narrow',
  width: 374,
  height: 541,
  city: { width: 120, height: 130 },
  gap: { x: 7, y: 7 },
  tower: { width: 36, ground: 107, top: 25, left: 21, right: 60 },
  token: { size: 20, y: 118.5 },
  card: { x: 81, y: 72, width: 37, height: 52 },
};

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

/** Reading order, for the keyboard and for readers of screens. */
export const ORDER: ViewCityCode[] = ['MI', 'PA', 'VE', 'LU', 'FE', 'SI', 'BO', 'RO', 'PI', 'FI'];

export function cityBox(plan: Plan, code: ViewCityCode): Box {
  const [column, row] = PLACES[code];
  return {
    x: column * (plan.city.width + plan.gap.x),
    y: row * (plan.city.height + plan.gap.y),
    ...plan.city,
  };
}

/** The middle of the board, where the pile lies. */
export function middleBox(plan: Plan): Box {
  const x = plan.city.width + plan.gap.x;
  const y = plan.city.height + plan.gap.y;
  return { x, y, width: plan.city.width, height: 2 * plan.city.height + plan.gap.y };
}

/** The place that Pistoia has with five players. */
export function pistoiaBox(plan: Plan): Box {
  return cityBox(plan, 'PI');
}

export interface Road {
  pair: ViewPair;
  x: number; // middle
  y: number;
  length: number;
  vertical: boolean;
}

const PAIRS: ViewPair[] = [
  'BO-FE', 'BO-FI', 'BO-SI', 'FE-LU', 'FE-VE', 'FI-PI', 'LU-MI', 'LU-SI', 'MI-PA', 'PA-VE', 'PI-RO', 'RO-SI',
]; // prettier-ignore

/** The roads between the cities in play. */
export function roads(plan: Plan, cities: readonly ViewCityCode[]): Road[] {
  return PAIRS.filter((pair) => citiesOf(pair).every((code) => cities.includes(code))).map((pair) =>
    road(plan, pair),
  );
}

function road(plan: Plan, pair: ViewPair): Road {
  const [one, two] = citiesOf(pair).map((code) => cityBox(plan, code)) as [Box, Box];
  const vertical = one.x === two.x;
  if (vertical) {
    const [upper, lower] = one.y < two.y ? [one, two] : [two, one];
    const top = upper.y + upper.height;
    const x = upper.x + (plan.name === 'wide' ? 90 : 76); // clear of towers, tokens and cards
    return { pair, x, y: (top + lower.y) / 2, length: lower.y - top, vertical };
  }
  const [left, right] = one.x < two.x ? [one, two] : [two, one];
  const from = left.x + left.width;
  return {
    pair,
    x: (from + right.x) / 2,
    y: left.y + left.height * 0.5,
    length: right.x - from,
    vertical,
  };
}
