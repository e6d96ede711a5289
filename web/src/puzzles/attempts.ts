/** Attempts at puzzles: counted here at once, and reported to the server when it can be reached. */

import { ApiProblem } from '../lib/api';
import type { PuzzleAttempt, PuzzleProgress } from '../protocol';
import { dayOf } from './selection';

/** An attempt that the server does not know yet. */
export interface Attempt extends PuzzleAttempt {
  solved: boolean;
  daily: boolean; // it was the puzzle of that day
}

export interface Memory {
  told: PuzzleProgress | null; // by the server, when last asked
  waiting: readonly Attempt[];
}

export const BEGINNER: PuzzleProgress = {
  rating: 1500,
  deviation: 333,
  tries: 0,
  streak: 0,
  best: 0,
  day: 0,
  days: 0,
  done: {},
};

const MOST = 50; // attempts in one report

/** Progress with what the server does not know yet. The rating stays: the server computes it. */
export function progressOf({ told, waiting }: Memory): PuzzleProgress {
  return waiting.reduce(after, told ?? BEGINNER);
}

function after(before: PuzzleProgress, attempt: Attempt): PuzzleProgress {
  const { puzzle, solved, daily, at } = attempt;
  const times = before.done[puzzle] ?? 0;
  const streak = solved ? before.streak + 1 : 0;
  const day = dayOf(at);
  const counts = solved && daily && day > before.day;
  return {
    ...before,
    tries: before.tries + (times ? 0 : 1),
    streak,
    best: Math.max(before.best, streak),
    day: counts ? day : before.day,
    days: counts ? (day === before.day + 1 ? before.days + 1 : 1) : before.days,
    done: { ...before.done, [puzzle]: times + 1 },
  };
}

/** Report waiting attempts; those reported are no longer waiting. */
export async function tell(
  memory: Memory,
  post: (attempts: PuzzleAttempt[]) => Promise<PuzzleProgress>,
): Promise<Memory> {
  let { told, waiting } = memory;
  while (waiting.length) {
    const some = waiting.slice(0, MOST);
    try {
      told = await post(some.map(({ puzzle, turn, at }) => ({ puzzle, turn, at })));
    } catch (error) {
      // A malformed report will never be accepted; anything else may work later.
      if (!(error instanceof ApiProblem) || error.status !== 422) break;
    }
    waiting = waiting.slice(some.length);
  }
  return { told, waiting };
}

/** What was stored, cleaned. */
export function readMemory(kept: unknown): Memory {
  const found = (kept ?? {}) as Partial<Memory>;
  const told = found.told && typeof found.told.done === 'object' ? found.told : null;
  return { told, waiting: Array.isArray(found.waiting) ? found.waiting : [] };
}
