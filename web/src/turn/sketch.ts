/** Turns drawn onto a position: the one played, and a better one beside it. */

import type { ViewCityCode, ViewPair } from '../protocol';
import { readTurn, type Site, type Turn } from './notation';

/** Whose part of the drawing it is. */
export type Stroke = 'played' | 'better' | 'both';

export interface CitySketch {
  L: Stroke[]; // floors, from the lowest on
  R: Stroke[];
  moves: { from: Site; stroke: Stroke }[];
  take: Stroke | null; // its card
}

export interface Sketch {
  seat: number;
  cities: Map<ViewCityCode, CitySketch>;
  messengers: Map<ViewPair, Stroke>;
}

/** Draw one turn or two of a seat; what both have in common is drawn once. */
export function sketchOf(seat: number, played: string | null, better: string | null): Sketch {
  const sketch: Sketch = { seat, cities: new Map(), messengers: new Map() };
  const turns = [
    ...(played === null ? [] : [{ turn: readTurn(played), stroke: 'played' as const }]),
    ...(better === null ? [] : [{ turn: readTurn(better), stroke: 'better' as const }]),
  ];
  for (const { turn, stroke } of turns) {
    const built = cityOf(sketch, turn.city);
    for (const site of ['L', 'R'] as const) addFloors(built[site], countAt(turn, site), stroke);
    if (turn.move) addMove(cityOf(sketch, turn.move.city), turn.move.site, stroke);
    const source = cityOf(sketch, placeOf(turn));
    source.take = joined(source.take, stroke);
    if (turn.messenger) {
      const before = sketch.messengers.get(turn.messenger) ?? null;
      sketch.messengers.set(turn.messenger, joined(before, stroke));
    }
  }
  return sketch;
}

/** The city whose card a turn takes. */
export function placeOf(turn: Turn): ViewCityCode {
  return turn.draw ?? turn.city;
}

function cityOf(sketch: Sketch, code: ViewCityCode): CitySketch {
  const found = sketch.cities.get(code) ?? { L: [], R: [], moves: [], take: null };
  sketch.cities.set(code, found);
  return found;
}

function countAt(turn: Turn, site: Site): number {
  return turn.sites.filter((each) => each === site).length;
}

function addFloors(floors: Stroke[], count: number, stroke: Stroke): void {
  for (let level = 0; level < count; level += 1)
    floors[level] = joined(floors[level] ?? null, stroke);
}

function addMove(city: CitySketch, from: Site, stroke: Stroke): void {
  const same = city.moves.find((each) => each.from === from);
  if (same) same.stroke = joined(same.stroke, stroke);
  else city.moves.push({ from, stroke });
}

function joined(before: Stroke | null, stroke: Stroke): Stroke {
  return before === null || before === stroke ? stroke : 'both';
}
