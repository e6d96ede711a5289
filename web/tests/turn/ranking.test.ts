import { expect, it } from 'vitest';
import { ranked } from '../../src/turn/ranking';
import type { Hint } from '../../src/protocol';

const hint = (move: string, share: number, points: number): Hint => ({
  move,
  share: [1 - share, share],
  points: [60, points],
  exact: false,
});
const moves = (candidates: readonly Hint[]) => candidates.map((each) => each.move);

it('puts more points first where shares are equal', () => {
  const { candidates, sharesTell } = ranked(
    [hint('PA1:LL', 0.004, 38.2), hint('PA4:L', 0, 41.7), hint('MI3:R', 0.001, 40)],
    1,
  );
  expect(moves(candidates)).toEqual(['PA4:L', 'MI3:R', 'PA1:LL']);
  expect(sharesTell).toBe(false);
});

it('puts the larger share first where they differ', () => {
  const { candidates, sharesTell } = ranked(
    [hint('PA1:LL', 0.51, 38), hint('PA4:L', 0.48, 44), hint('MI3:R', 0.508, 40)],
    1,
  );
  expect(moves(candidates)).toEqual(['MI3:R', 'PA1:LL', 'PA4:L']);
  expect(sharesTell).toBe(true);
});

it('looks at the seat that asked', () => {
  const { candidates } = ranked([hint('PA1:LL', 0.6, 38), hint('PA4:L', 0.4, 44)], 0);
  expect(moves(candidates)).toEqual(['PA4:L', 'PA1:LL']);
});
