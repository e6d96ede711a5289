/** Analyses made up for tests. */

import type { AnalysedTurn, Analysis, TurnChoice, Verdict, View } from '../../src/protocol';

export function choice(move: string, cost = 0): TurnChoice {
  return { move, shares: [0.5 - cost, 0.5 + cost], points: [30, 30], cost, exact: false, line: [] };
}

export function turnOf(
  turn: number,
  verdict: Verdict | null,
  more: Partial<AnalysedTurn> = {},
): AnalysedTurn {
  const chances = { shares: [0.5, 0.5], points: [30, 30], exact: false };
  return {
    turn,
    seat: (turn - 1) % 2,
    move: 'SI1:LL',
    before: chances,
    after: chances,
    refill: null,
    luck: verdict && { card: [0.02, -0.02], hidden: [0.01, -0.01] },
    verdict,
    error: verdict && [0, 0],
    cost: verdict && 0,
    points_cost: verdict && 0,
    costs: verdict && {},
    exact: verdict && false,
    only: verdict && false,
    choices: verdict && [choice('SI1:LL')],
    why: verdict && [],
    ...more,
  };
}

export function analysisOf(turns: AnalysedTurn[]): Analysis {
  return {
    version: 1,
    record: '',
    names: [],
    players: 2,
    deep: false,
    seed: 0,
    finished: true,
    complete: true,
    judged: turns.length,
    points: [30, 30],
    deal: { shares: [0.55, 0.45], points: [30, 30], exact: false, luck: [0.05, -0.05] },
    turns,
    seats: [],
    moments: [],
  };
}

/** Siena as it stands, and nothing else. */
export function siena(left: 0[] = [], right: 0[] = []): Pick<View, 'cities'> {
  const city = {
    code: 'SI',
    capacity: 7,
    tokens: [7, 4],
    left,
    right,
    taller: null,
    leaders: [null, null],
    tallies: [[], []],
    winners: null,
    card: 'RO1',
    messengers: 0,
  };
  return { cities: [city as unknown as View['cities'][number]] };
}
