import { expect, it } from 'vitest';
import { movesTo, walkAlong } from '../../src/analysis/walk';
import type { Place } from '../../src/lines/source';
import type { LineAnswer } from '../../src/protocol';
import { view } from '../learn/positions';

/** Lines on which only some turns are possible, by the turns before them. */
function linesOf(legal: readonly (readonly string[])[]) {
  const asked: Place[] = [];
  const look = async (place: Place) => {
    asked.push(place);
    const count = place.moves.length;
    const shown = view({ legal: [...(legal[count] ?? [])], turn: place.at + count });
    return { view: shown, frame: shown, seat: count % 2 } as LineAnswer;
  };
  return { look, asked };
}

it('shows every turn on the position before it, and then the end', async () => {
  const { look, asked } = linesOf([['PA4:L', 'PA4:R'], ['SI1:LL'], ['RO2:R']]);
  const walk = await walkAlong({ look }, 7, ['PA4:L', 'SI1:LL']);
  expect(walk.stops.map(({ move, seat }) => [move, seat])).toEqual([
    ['PA4:L', 0],
    ['SI1:LL', 1],
    [null, 0],
  ]);
  expect(walk.stops.map(({ frame }) => frame.turn)).toEqual([7, 8, 9]);
  expect(walk.whole).toBe(true);
  expect(asked.map(({ moves }) => moves.length)).toEqual([0, 1, 2]);
  expect(movesTo(walk, 0)).toEqual([]);
  expect(movesTo(walk, 2)).toEqual(['PA4:L', 'SI1:LL']);
});

it('stops where the cards of this game lay elsewhere', async () => {
  const { look } = linesOf([['PA4:L'], ['RO2:R']]);
  const walk = await walkAlong({ look }, 7, ['PA4:L', 'SI1:LL', 'MI1:L']);
  expect(walk.stops.map(({ move }) => move)).toEqual(['PA4:L', null]);
  expect(walk.whole).toBe(false);
});
