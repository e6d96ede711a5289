/** The figures of an analysis as the screen shows them: lines, marks, bars, and sums that add up. */

import type { AnalysedTurn, Analysis, SeatAccount, TurnChoice, Verdict, View } from '../protocol';
import { readTurn } from '../turn/notation';

/** How a turn is marked on the curve, as chess players do; other verdicts have no mark. */
export const SIGNS: Readonly<Partial<Record<Verdict, string>>> = {
  inaccuracy: '?!',
  mistake: '?',
  blunder: '??',
};

export function isError(turn: AnalysedTurn): boolean {
  return turn.verdict !== null && turn.verdict in SIGNS;
}

/** Everybody's share of the victory: after the deal, then after every turn. */
export function sharesOf(analysis: Analysis): number[][] {
  return [analysis.deal.shares, ...analysis.turns.map((turn) => turn.after.shares)];
}

/** The luck of a seat: in the deal, then in every turn; null where it is not known yet. */
export function luckOf(analysis: Analysis, seat: number): (number | null)[] {
  const inTurns = analysis.turns.map(({ luck }) =>
    luck === null ? null : (luck.card[seat] ?? 0) + (luck.hidden[seat] ?? 0),
  );
  return [analysis.deal.luck[seat] ?? 0, ...inTurns];
}

/** The first turn from which on everything is solved; null if the end was not. */
export function exactFrom(analysis: Analysis): number | null {
  const { turns } = analysis;
  let first: number | null = null;
  for (const turn of turns.toReversed()) {
    if (!turn.before.exact) break;
    first = turn.turn;
  }
  return first;
}

/** The next turn with an error in a direction; null if there is none. */
export function nextError(analysis: Analysis, at: number, way: 1 | -1): number | null {
  const found = analysis.turns.filter((turn) => isError(turn) && (turn.turn - at) * way > 0);
  const turn = way === 1 ? found[0] : found.at(-1);
  return turn?.turn ?? null;
}

interface Row {
  start: number;
  luck: number;
  own: number;
  others: number;
  result: number;
}

/** The account of a seat in tenths of a percent: start + luck + own + others = result, as shown. */
export function rowOf(account: SeatAccount): Row {
  const others = account.others.reduce((sum, each) => sum + each, 0);
  const parts = [account.fair, account.luck.total, account.own, others].map((each) => each * 1000);
  const result = Math.round(account.result * 1000);
  const [start = 0, luck = 0, own = 0, given = 0] = addingUp(parts, result);
  return { start, luck, own, others: given, result };
}

/** Whole numbers that add up to a total: what is rounded down most is rounded up first. */
export function addingUp(parts: readonly number[], total: number): number[] {
  const found = parts.map(Math.floor);
  const order = parts.map((part, at) => ({ at, rest: part - Math.floor(part) }));
  order.sort((one, two) => two.rest - one.rest);
  const missing = total - found.reduce((sum, each) => sum + each, 0);
  for (const { at } of order.slice(0, Math.max(0, missing))) found[at] = (found[at] ?? 0) + 1;
  return found;
}

/** The turn in the form that was judged: first floors of a city on the left, perhaps no messenger. */
function judgedForm(move: string, before: Pick<View, 'cities'>): string {
  const { city, sites } = readTurn(move);
  const found = before.cities.find((each) => each.code === city);
  const bare = found !== undefined && !found.left.length && !found.right.length;
  if (!bare || sites.includes('L')) return move;
  return move.replace(/:R+/, (text) => text.replaceAll('R', 'L'));
}

/** Whether a choice is the turn that was played. */
export function isPlayed(choice: TurnChoice, turn: AnalysedTurn, before: Pick<View, 'cities'>) {
  const played = judgedForm(turn.move, before);
  return choice.move === turn.move || choice.move === played || choice.move === upToDraw(played);
}

/** A choice as it was played, if it was: in an empty city it may have been judged on the other site. */
export function asPlayed(choice: TurnChoice, turn: AnalysedTurn, before: Pick<View, 'cities'>) {
  if (!isPlayed(choice, turn, before)) return choice.move;
  return choice.move.includes('@') ? turn.move : upToDraw(turn.move);
}

/** A turn without its messenger. */
export function upToDraw(move: string): string {
  return move.replace(/@.*$/, '');
}

/** The turn to have played instead; null if there was none better. */
export function betterThan(turn: AnalysedTurn, before: Pick<View, 'cities'>): TurnChoice | null {
  const [best] = turn.choices ?? [];
  return best && isError(turn) && !isPlayed(best, turn, before) ? best : null;
}
