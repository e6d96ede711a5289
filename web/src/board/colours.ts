/** What the parts of a table page share. */

import type { Colour, SeatInfo, ViewDeck } from '../protocol';

export type SeatColours = readonly Colour[];

export function coloursOf(seats: readonly SeatInfo[]): SeatColours {
  return seats.map((seat) => seat.colour as Colour);
}

export const NO_DECK: ViewDeck = { name: '', cards: {} };
