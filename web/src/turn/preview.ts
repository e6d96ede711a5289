/** Previews a draft on the board, before it is sent. */

import type { View } from '../protocol';
import type { Draft } from './draft';
import {
  buildStep,
  withFloor,
  withMessenger,
  withMove,
  withScore,
  type Board,
  type Standings,
} from './position';

/** The board with all steps of a draft that the view does not show yet.
 *
 * `whole`: the draft is a complete turn.
 */
export function preview(view: View, draft: Draft, standings: Standings, whole: boolean): Board {
  if (draft.card === null || view.seat === null) return view;
  const { card, sites, move, messenger } = draft;
  const { seat, phase } = view;
  const built = standings[buildStep(card, sites)];
  let board: Board = view;
  if (phase === 'build') {
    sites.forEach((_, index) => {
      board = withFloor(board, seat, card, sites.slice(0, index + 1), standings);
    });
  }
  if (built?.winners && (whole || !built.late)) board = withScore(board, card.slice(0, 2), built);
  if (move && move !== 'none' && (phase === 'build' || phase === 'move'))
    board = withMove(board, move, standings);
  if (messenger && messenger !== 'none') board = withMessenger(board, messenger);
  return board;
}
