/** The steps of the final count: the server's numbers, as a timeline. */

import type { FinalCount, FinishedTower, ViewOutcome } from '../protocol';

export type Step =
  | { kind: 'token'; city: number; site: 'left' | 'right' } // turns over
  | { kind: 'sets'; seat: number } // the portraits of a pile gather
  | { kind: 'chips'; city: number } // of messengers
  | { kind: 'minus'; seat: number }
  | { kind: 'curve' }
  | { kind: 'points' }; // the end: everything is there

/** The duration of a step, in ms. */
const PAUSE: Record<Step['kind'], number> = {
  token: 280,
  sets: 520,
  chips: 200,
  minus: 600,
  curve: 1000,
  points: 0,
};

export interface Points {
  tokens: number;
  sets: number;
  chips: number;
  minus: number;
  total: number;
}

export function stepsOf(finalCount: FinalCount, outcome: ViewOutcome): Step[] {
  const cities = finalCount.cities.map((_, city) => city);
  const minus = outcome.scores.findIndex((score) => score.minus !== 0);
  return [
    ...cities.flatMap((city): Step[] => [
      { kind: 'token', city, site: 'left' },
      { kind: 'token', city, site: 'right' },
    ]),
    ...finalCount.portraits.map((_, seat): Step => ({ kind: 'sets', seat })),
    ...cities
      .filter((city) => finalCount.cities[city]!.chips > 0)
      .map((city): Step => ({ kind: 'chips', city })),
    ...(minus < 0 ? [] : [{ kind: 'minus', seat: minus } as const]),
    { kind: 'curve' },
    { kind: 'points' },
  ];
}

export function pauseAfter(step: Step): number {
  return PAUSE[step.kind];
}

/** Everybody's points after this many steps. */
export function countedAfter(
  steps: readonly Step[],
  done: number,
  finalCount: FinalCount,
  outcome: ViewOutcome,
): Points[] {
  const all = outcome.scores.map(() => ({ tokens: 0, sets: 0, chips: 0, minus: 0, total: 0 }));
  const give = (seat: number, part: Exclude<keyof Points, 'total'>, points: number) => {
    const own = all[seat];
    if (!own) return;
    own[part] += points;
    own.total += points;
  };
  const chipsOf = ({ seat, chips }: FinishedTower) => give(seat, 'chips', chips);
  for (const step of steps.slice(0, done)) {
    if (step.kind === 'token') {
      const { seat, token } = finalCount.cities[step.city]![step.site];
      give(seat, 'tokens', token);
    } else if (step.kind === 'sets') give(step.seat, 'sets', outcome.scores[step.seat]!.sets);
    else if (step.kind === 'chips') {
      chipsOf(finalCount.cities[step.city]!.left);
      chipsOf(finalCount.cities[step.city]!.right);
    } else if (step.kind === 'minus') give(step.seat, 'minus', outcome.scores[step.seat]!.minus);
  }
  return all;
}

/** The seats ranked: winners first, then by points. */
export function ranked(outcome: ViewOutcome): number[] {
  const seats = outcome.scores.map((_, seat) => seat);
  const won = (seat: number) => Number((outcome.winners as number[]).includes(seat));
  return seats.sort(
    (one, two) =>
      won(two) - won(one) ||
      (outcome.scores[two]?.total ?? 0) - (outcome.scores[one]?.total ?? 0) ||
      one - two,
  );
}
