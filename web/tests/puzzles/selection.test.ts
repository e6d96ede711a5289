import { expect, it } from 'vitest';
import { about, bandOf, dayOf, next, ofTheDay } from '../../src/puzzles/selection';
import type { PuzzleLine } from '../../src/protocol';

function line(id: string, rating: number, ...themes: PuzzleLine['themes']): PuzzleLine {
  return { id, rating, themes, players: 2, messengers: false, exact: true, chunk: 0 };
}

const PUZZLES = [
  line('a', 1250, 'ties'),
  line('b', 1420, 'endings'),
  line('c', 1500, 'ties', 'endings'),
  line('d', 1599),
  line('e', 2100, 'ties'),
];

it('gives every day its puzzle, and all puzzles their day', () => {
  const days = [0, 1, 2, 3, 4].map((day) => ofTheDay(PUZZLES, 20_000 + day)?.id);
  expect([...days].sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(ofTheDay(PUZZLES, 20_005)?.id).toBe(days[0]);
  expect(dayOf(24 * 3600 - 1)).toBe(0);
  expect(ofTheDay([], 3)).toBeNull();
});

it('repeats no puzzle before all others are done, those of its rating first', () => {
  const done: Record<string, number> = {};
  const seen: string[] = [];
  for (let at = 0; at < 10; at += 1) {
    const id = next(PUZZLES, done, 1550, () => 0.99)?.id ?? '';
    done[id] = (done[id] ?? 0) + 1;
    seen.push(id);
  }
  expect(seen.slice(0, 3).sort()).toEqual(['b', 'c', 'd']);
  expect(seen.slice(0, 5).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(seen.slice(5).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
});

it('takes the nearest rating where there is none', () => {
  expect(next(about(PUZZLES, 'ties'), {}, 1900)?.id).toBe('e');
  expect(next([PUZZLES[0]!], {}, 2000)?.id).toBe('a');
  expect(next([], {}, 1500)).toBeNull();
});

it('has steps of ratings that are open at both ends', () => {
  expect([300, 1399, 1400, 1799, 1800, 3000].map(bandOf)).toEqual([
    1200, 1200, 1400, 1600, 1800, 1800,
  ]);
});
