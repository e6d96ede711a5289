/** A position as the board shows it, and the steps that lead from one to the next.
 *
 * Floors, cards and messengers are placed as a turn places them. Who would take which token is not
 * computed here: the server sends the standing of the city after each step.
 */

import type {
  Standing,
  View,
  ViewCity,
  ViewCityCode,
  ViewPair,
  ViewSeatOrNone,
  ViewTally,
} from '../protocol';
import { citiesOf, other, towerName, type Site, type Tower } from './notation';

/** The part of a view that the board shows. */
export type Board = Pick<View, 'cities' | 'messengers' | 'pile_left'>;

/** The standing of a city after a step of a turn, by the step's text: "BO1:L", "BO1:LR", ">MI.R". */
export type Standings = Readonly<Record<string, Standing>>;

export function floors(city: ViewCity, site: Site): ViewCity['left'] {
  return site === 'L' ? city.left : city.right;
}

export function buildStep(card: string, sites: readonly Site[]): string {
  return `${card}:${[...sites].sort().join('')}`;
}

/** The board with the last of these floors added. */
export function withFloor(
  board: Board,
  seat: number,
  card: string,
  sites: readonly Site[],
  standings: Standings,
): Board {
  const site = sites.at(-1) ?? 'L';
  return edit(board, card.slice(0, 2), (city) => ({
    ...city,
    ...onSite(site, [...floors(city, site), seat as 0]),
    ...marks(standings[buildStep(card, sites)]),
  }));
}

/** The board with the top floor of a tower moved to the other site of its city. */
export function withMove(board: Board, tower: Tower, standings: Standings): Board {
  const to = other(tower.site);
  return edit(board, tower.city, (city) => {
    const from = floors(city, tower.site);
    return {
      ...city,
      ...onSite(tower.site, from.slice(0, -1)),
      ...onSite(to, [...floors(city, to), ...from.slice(-1)]),
      ...marks(standings[`>${towerName(tower)}`]),
    };
  });
}

/** The board with a complete city: its tokens are taken. */
export function withScore(board: Board, code: string, standing: Standing | undefined): Board {
  const winners = standing?.winners ?? null;
  return edit(board, code, (city) => ({ ...city, winners }));
}

export function withMessenger(board: Board, pair: ViewPair): Board {
  const laid = { ...board, messengers: [...board.messengers, pair] };
  return citiesOf(pair).reduce(
    (next, code) =>
      edit(next, code, (city) => ({ ...city, messengers: (city.messengers + 1) as 1 })),
    laid,
  );
}

export function withCard(board: Board, code: ViewCityCode, card: string | null): Board {
  return edit(board, code, (city) => ({ ...city, card }));
}

function onSite(site: Site, next: ViewCity['left']): Partial<ViewCity> {
  return site === 'L' ? { left: next } : { right: next };
}

/** Who would take which token now; nobody, if the server did not say. */
function marks(standing: Standing | undefined): Pick<ViewCity, 'taller' | 'leaders' | 'tallies'> {
  const { taller, tallies }: Pick<Standing, 'taller' | 'tallies'> = standing ?? {
    taller: null,
    tallies: [[], []],
  };
  const [left, right] = tallies;
  return { taller, tallies, leaders: [first(left), first(right)] };
}

function first(tally: ViewTally): ViewSeatOrNone {
  return (tally[0]?.[0] ?? null) as ViewSeatOrNone;
}

function edit(board: Board, code: string, change: (city: ViewCity) => ViewCity): Board {
  return {
    ...board,
    cities: board.cities.map((city) => (city.code === code ? change(city) : city)),
  };
}
