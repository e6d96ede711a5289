/** A line shown on the board: its turns, each with the position before it. */

import type { Lines } from '../lines/source';
import type { View, ViewScore } from '../protocol';

export interface Stop {
  frame: View; // before the turn
  hands: readonly (readonly string[])[]; // all of them, by seat
  scores: readonly ViewScore[];
  seat: number | null; // who plays it; null at the end of the game
  move: string | null; // null: the line ends here
}

export interface Walk {
  at: number; // turns of the record before the line
  stops: readonly Stop[];
  whole: boolean; // else the rest depends on cards that lay elsewhere in this game
}

/** Play a line after so many turns of the record, as far as the cards of this game allow. */
export async function walkAlong(
  lines: Pick<Lines, 'look'>,
  at: number,
  moves: readonly string[],
): Promise<Walk> {
  const stops: Stop[] = [];
  for (let count = 0; ; count += 1) {
    const { view, frame, hands, scores, seat } = await lines.look({
      at,
      moves: moves.slice(0, count),
    });
    const move = moves[count];
    const goesOn = move !== undefined && view.legal.includes(move);
    stops.push({ frame, hands, scores, seat, move: goesOn ? move : null });
    if (!goesOn) return { at, stops, whole: move === undefined };
  }
}

/** The turns of a line before a stop. */
export function movesTo({ stops }: Walk, step: number): string[] {
  return stops.slice(0, step).flatMap(({ move }) => move ?? []);
}
