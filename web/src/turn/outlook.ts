/** The effects of the turn being put together, as sent by the server: nothing is computed here. */

import type { Answer, Gain, Prospects, ViewCity, ViewCityCode, ViewPair } from '../protocol';
import type { Draft } from './draft';
import { buildStep, type Board } from './position';
import { towerName, type Site } from './notation';

export type Shares = Prospects['takes'][string];

export interface Outlook {
  gain: Gain | null; // of the card's portraits
  takes: { city: ViewCityCode; shares: Shares } | null; // immediate points
  city: ViewCity | null; // the city last built in or moved in, after that
  sites: Site[]; // of its towers that would change
  moved: boolean; // by the special action: it is another city than the card's
  answers: readonly Answer[]; // of others, there
  leads: { pair: ViewPair; shares: Shares } | null; // towers that a messenger would affect
}

/** The effects of a draft on a board; null if there are none. */
export function outlookOf(
  prospects: Prospects | null | undefined,
  draft: Draft,
  board: Board,
  late: boolean, // only the messenger is left to choose
): Outlook | null {
  if (!prospects || draft.card === null) return null;
  const { card, sites, move, messenger } = draft;
  const city = card.slice(0, 2) as ViewCityCode;
  if (late) {
    if (messenger === null) return null;
    const pair = messenger === 'none' ? null : messenger;
    const shares = prospects.takes[`@${pair ?? ''}`];
    const leads = pair && prospects.leads[pair];
    return said({
      ...NOTHING,
      takes: shares ? { city, shares } : null,
      leads: pair && leads ? { pair, shares: leads } : null,
    });
  }
  const built = buildStep(card, sites);
  const shares = prospects.takes[built];
  const moved = move && move !== 'none' ? move : null;
  const place = moved?.city ?? city;
  return said({
    ...NOTHING,
    gain: prospects.gains[card] ?? null,
    takes: shares ? { city, shares } : null,
    city: board.cities.find((each) => each.code === place) ?? null,
    sites: moved ? ['L', 'R'] : [...new Set(sites)].sort(),
    moved: moved !== null,
    answers: prospects.answers[moved ? `>${towerName(moved)}` : built] ?? [],
  });
}

const NOTHING: Outlook = {
  gain: null,
  takes: null,
  city: null,
  sites: [],
  moved: false,
  answers: [],
  leads: null,
};

function said(outlook: Outlook): Outlook | null {
  const { gain, takes, sites, leads } = outlook;
  return gain || takes || sites.length || leads ? outlook : null;
}
