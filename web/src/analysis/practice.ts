/** Whether a turn tried instead of an error is good enough: the analysis knows, or the best bot is asked. */

import type { AnalysedTurn, Analysis, LineAdvice, View } from '../protocol';
import { isError, isPlayed } from './figures';

const MARGIN = 0.02; // share of the victory that may be lost, with two players

export interface Attempt {
  move: string;
  right: boolean;
  cost: number | null; // share of the victory lost; null: not known
}

/** The errors of a seat for which a better turn is known. */
export function errorsOf(analysis: Analysis, seat: number): AnalysedTurn[] {
  return analysis.turns.filter((turn) => turn.seat === seat && isError(turn) && turn.choices);
}

/** The share that may be lost: with more players less is at stake for each. */
export function marginFor(players: number): number {
  return MARGIN * 2 * Math.sqrt((1 / players) * (1 - 1 / players));
}

export async function verdictOn(
  move: string,
  error: AnalysedTurn,
  before: Pick<View, 'cities'>,
  players: number,
  advise: (about: string) => Promise<LineAdvice>,
): Promise<Attempt> {
  const margin = marginFor(players);
  const asked = { ...error, move };
  const known = error.choices?.find((choice) => isPlayed(choice, asked, before));
  if (known) return { move, right: known.cost <= margin, cost: known.cost };
  const { candidates, about } = await advise(move);
  const [best] = candidates;
  if (!best || !about) return { move, right: false, cost: null };
  const cost = Math.max(0, (best.share[error.seat] ?? 0) - (about.share[error.seat] ?? 0));
  return { move, right: cost <= margin, cost };
}
