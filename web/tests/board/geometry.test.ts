import { describe, expect, it } from 'vitest';
import type { ViewCityCode } from '../../src/protocol';
import { cityBox, middleBox, NARROW, ORDER, roads, widePlan } from '../../src/board/geometry';

const NINE = ORDER.filter((code) => code !== 'PI');

describe.each([
  ['narrow', NARROW],
  ['wide', widePlan({ width: 1060, height: 640 })],
  ['tall', widePlan({ width: 600, height: 900 })],
])('the %s plan', (_name, plan) => {
  it('keeps every city on the board and apart from the others', () => {
    const boxes = ORDER.map((code) => cityBox(plan, code));
    for (const box of boxes) {
      expect(box.x + box.width).toBeLessThanOrEqual(plan.width + 0.001);
      expect(box.y + box.height).toBeLessThanOrEqual(plan.height + 0.001);
    }
    const places = new Set(boxes.map((box) => `${box.x} ${box.y}`));
    expect(places.size).toBe(10);
  });

  it('has ten roads, and twelve with Pistoia', () => {
    expect(roads(plan, NINE)).toHaveLength(10);
    expect(roads(plan, ORDER)).toHaveLength(12);
  });

  it('does not join Roma and Firenze', () =>
    expect(roads(plan, NINE as ViewCityCode[]).some((road) => road.pair.includes('FI-RO'))).toBe(
      false,
    ));

  it('leaves the middle free', () => {
    const middle = middleBox(plan);
    expect(middle.y + middle.height).toBeLessThan(cityBox(plan, 'PI').y);
  });
});
