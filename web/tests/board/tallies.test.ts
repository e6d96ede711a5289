import { describe, expect, it } from 'vitest';

import { cityBox, planFor } from '../../src/board/geometry';
import { placeTallies, sizeOf, type Chip, type Tally } from '../../src/board/tallies';

const ROOMS = { phone: { width: 390, height: 460 }, across: { width: 590, height: 390 } };

const tally = (...floors: number[]): Tally[] =>
  floors.map((floor, seat) => ({ seat, floor, count: 1 }));

function nearest(chips: readonly Chip[]): number {
  return Math.min(
    ...chips.flatMap((one, index) =>
      chips.slice(index + 1).map((two) => Math.hypot(one.x - two.x, one.y - two.y)),
    ),
  );
}

describe.each(Object.entries(ROOMS))('on a %s', (_, room) => {
  const { tower } = planFor(room);

  it('no number lies on another, however many owners two towers have', () => {
    const mixed = { L: tally(4, 3, 2, 1, 0), R: tally(3, 2, 1, 0) };
    const chips = placeTallies(tower, 0.6, mixed);
    expect(chips).toHaveLength(9);
    expect(nearest(chips)).toBeGreaterThan(sizeOf(tower) * 1.2);
  });

  it('no number lies below the ground', () => {
    const chips = placeTallies(tower, 0.3, { L: tally(4, 3, 2, 1, 0), R: tally(3, 2, 1, 0) });
    expect(Math.max(...chips.map(({ y }) => y))).toBeLessThan(tower.ground);
  });
});

it('stands beside its floor where there is room', () => {
  const { tower } = planFor(ROOMS.phone);
  const [chip] = placeTallies(tower, 1, { L: tally(3), R: [] });
  const unit = tower.width / 84;
  expect(chip!.y).toBeCloseTo(tower.ground - (7 + 3.5 * 15) * unit);
  expect(chip!.x).toBeLessThan(tower.left);
});

it('keeps clear of a messenger at the edge', () => {
  const plan = planFor(ROOMS.phone);
  const half = plan.messenger * 0.22;
  const beside = { top: plan.road.y - half, bottom: plan.road.y + half };
  expect(cityBox(plan, 'PI').width).toBeGreaterThan(plan.messenger);
  for (const floor of [3, 4, 5, 6, 7, 8]) {
    const [chip] = placeTallies(plan.tower, 0.7, { L: tally(floor), R: [] }, beside);
    const reach = sizeOf(plan.tower) * 0.59;
    expect(chip!.y + reach < beside.top || chip!.y - reach > beside.bottom).toBe(true);
  }
});
