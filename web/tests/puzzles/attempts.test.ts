import { expect, it } from 'vitest';
import { ApiProblem } from '../../src/lib/api';
import { BEGINNER, progressOf, readMemory, tell, type Attempt } from '../../src/puzzles/attempts';
import type { PuzzleAttempt } from '../../src/protocol';

const DAY = 24 * 3600;

function attempt(puzzle: string, solved: boolean, at = 0, daily = false): Attempt {
  return { puzzle, turn: 'BO1:LL', at, solved, daily };
}

it('counts what the server does not know yet', () => {
  const waiting = [attempt('a', true), attempt('b', true), attempt('a', true, 5)];
  const now = progressOf({ told: { ...BEGINNER, streak: 2, best: 2, done: { a: 1 } }, waiting });
  expect(now).toMatchObject({ streak: 5, best: 5, tries: 1, done: { a: 3, b: 1 } });
  const missed = progressOf({ told: null, waiting: [...waiting, attempt('c', false)] });
  expect(missed).toMatchObject({ streak: 0, best: 3, rating: 1500 });
});

it('counts days in a row by the puzzle of the day alone', () => {
  const days = [3, 4, 6].map((day) => attempt(`p${day}`, true, day * DAY, true));
  expect(progressOf({ told: null, waiting: days.slice(0, 2) })).toMatchObject({ day: 4, days: 2 });
  expect(progressOf({ told: null, waiting: days })).toMatchObject({ day: 6, days: 1 });
  const other = attempt('x', true, 5 * DAY);
  expect(progressOf({ told: null, waiting: [...days.slice(0, 2), other] }).days).toBe(2);
});

it('tells in parts, and keeps what could not be told', async () => {
  const waiting = Array.from({ length: 60 }, (_, at) => attempt(`p${at}`, true, at));
  const sent: PuzzleAttempt[][] = [];
  const after = await tell({ told: null, waiting }, (some) => {
    sent.push(some);
    if (sent.length === 2) return Promise.reject(new ApiProblem(0, 'offline', ''));
    return Promise.resolve({ ...BEGINNER, tries: some.length });
  });
  expect(sent.map((some) => some.length)).toEqual([50, 10]);
  expect(sent[0]?.[0]).toEqual({ puzzle: 'p0', turn: 'BO1:LL', at: 0 });
  expect(after.told?.tries).toBe(50);
  expect(after.waiting.map(({ puzzle }) => puzzle)).toEqual(waiting.slice(50).map((a) => a.puzzle));
});

it('drops what the server will never read', async () => {
  const refused = () => Promise.reject(new ApiProblem(422, 'invalid', ''));
  const after = await tell({ told: null, waiting: [attempt('a', true)] }, refused);
  expect(after.waiting).toEqual([]);
});

it('reads what was stored, whatever it is', () => {
  for (const kept of [null, 3, 'x', {}, { told: 3, waiting: 'x' }])
    expect(readMemory(kept)).toEqual({ told: null, waiting: [] });
});
