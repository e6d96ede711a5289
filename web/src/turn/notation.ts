/** Turns in the notation of the game record: `CARD:SITES[>CITY.SITE][+CITY][@CITY-CITY]`. */

import type { ViewCityCode, ViewPair } from '../protocol';

export type Site = 'L' | 'R';

export interface Tower {
  city: ViewCityCode;
  site: Site;
}

export interface Turn {
  card: string;
  city: ViewCityCode; // the card's city
  sites: Site[];
  move: Tower | null; // the tower whose top floor moves
  draw: ViewCityCode | null; // of a free draw only
  messenger: ViewPair | null;
}

const TURN =
  /^([A-Z]{2}\d):([LR]{1,2})(?:>([A-Z]{2})\.([LR]))?(?:\+([A-Z]{2}))?(?:@([A-Z]{2}-[A-Z]{2}))?$/;

export function readTurn(text: string): Turn {
  const match = TURN.exec(text);
  if (!match) throw new Error(`${text} is no turn`);
  const [, card = '', sites = '', moved, from, draw, messenger] = match;
  return {
    card,
    city: card.slice(0, 2) as ViewCityCode,
    sites: [...sites] as Site[],
    move: moved ? { city: moved as ViewCityCode, site: from as Site } : null,
    draw: (draw as ViewCityCode | undefined) ?? null,
    messenger: (messenger as ViewPair | undefined) ?? null,
  };
}

export function towerName(tower: Tower): string {
  return `${tower.city}.${tower.site}`;
}

export function citiesOf(pair: ViewPair): [ViewCityCode, ViewCityCode] {
  return pair.split('-') as [ViewCityCode, ViewCityCode];
}

/** All cities that a turn affects. */
export function citiesIn(text: string): ViewCityCode[] {
  const { city, move, draw, messenger } = readTurn(text);
  return [
    city,
    ...(move ? [move.city] : []),
    ...(draw ? [draw] : []),
    ...(messenger ? citiesOf(messenger) : []),
  ];
}

export function other(site: Site): Site {
  return site === 'L' ? 'R' : 'L';
}
