import { expect, it } from 'vitest';
import { errorsIn, linesOf } from '../../../src/pages/profile/luck';
import type { AnalysedGame } from '../../../src/protocol';

function game(players: number, result: number, luck: number, own: number): AnalysedGame {
  return {
    table: 'a'.repeat(16),
    finished: 0,
    players,
    seat: 0,
    place: result === 1 ? 1 : 2,
    account: {
      result,
      fair: 1 / players,
      luck: { total: luck, deal: 0, cards: luck, hidden: 0 },
      own,
      others: [],
      adjusted: result - luck,
      interval: [0, 1],
      verdicts: { best: 20, inaccuracy: 2, blunder: 1 },
    },
  };
}

it('tells the means by number of players', () => {
  const lines = linesOf([game(3, 1, 0.4, -0.1), game(2, 0, -0.2, -0.3), game(3, 0, 0, -0.2)]);
  expect(lines.map((line) => [line.players, line.games])).toEqual([
    [2, 1],
    [3, 2],
  ]);
  expect(lines[1]).toMatchObject({ result: 0.5, luck: 0.2, adjusted: 0.3, errors: 3 });
  expect(lines[1]?.lost).toBeCloseTo(0.15);
  expect(linesOf([])).toEqual([]);
});

it('counts every kind of error', () => {
  expect(errorsIn(game(2, 0, 0, 0))).toBe(3);
});
