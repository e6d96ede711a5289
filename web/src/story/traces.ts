/** The differences between two boards: changed floors, tokens, cards and messengers. */

import type { ViewCity, ViewCityCode, ViewPair } from '../protocol';
import { floors, type Board } from '../turn/position';
import type { Site } from '../turn/notation';

export interface Trace {
  floors: Readonly<Record<Site, readonly number[]>>; // levels, from 0
  tokens: readonly Site[]; // towers whose token, or its owner, has changed
  card: boolean;
}

export interface Traces {
  cities: ReadonlyMap<ViewCityCode, Trace>; // those with any change
  messengers: readonly ViewPair[];
}

const SITES: readonly Site[] = ['L', 'R'];

export function tracesOf(before: Board, after: Board): Traces {
  const cities = new Map<ViewCityCode, Trace>();
  for (const city of after.cities) {
    const old = before.cities.find(({ code }) => code === city.code);
    const trace = old && traceOf(old, city);
    if (trace && isAny(trace)) cities.set(city.code, trace);
  }
  const messengers = after.messengers.filter((pair) => !before.messengers.includes(pair));
  return { cities, messengers };
}

function traceOf(before: ViewCity, after: ViewCity): Trace {
  return {
    floors: { L: levels(before, after, 'L'), R: levels(before, after, 'R') },
    tokens: SITES.filter((site) => {
      const shown = token(after, site);
      return shown !== null && shown !== token(before, site);
    }),
    card: after.card !== null && after.card !== before.card,
  };
}

/** The levels above the common lower part of two towers. */
function levels(before: ViewCity, after: ViewCity, site: Site): number[] {
  const [old, now] = [floors(before, site), floors(after, site)];
  const stayed = now.findIndex((seat, level) => seat !== old[level]);
  const first = stayed < 0 ? now.length : stayed;
  return now.map((_, level) => level).slice(first);
}

/** The state of a tower's token: its owner, its value, and whether it was taken. */
function token({ leaders, taller, winners }: ViewCity, site: Site): string | null {
  const leader = leaders[site === 'L' ? 0 : 1];
  if (leader === null) return null;
  return [leader, taller === null ? 'either' : taller === site, winners !== null].join();
}

function isAny({ floors, tokens, card }: Trace): boolean {
  return card || tokens.length + floors.L.length + floors.R.length > 0;
}
