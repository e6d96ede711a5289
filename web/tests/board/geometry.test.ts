import { describe, expect, it } from 'vitest';
import type { ViewCityCode } from '../../src/protocol';
import { cityBox, middleBox, ORDER, planFor, roads, type Box } from '../../src/board/geometry';

const NINE = ORDER.filter((code) => code !== 'PI');
const ROOMS: [string, number, number][] = [
  ['a phone', 378, 470],
  ['a small phone', 348, 440],
  ['a phone in landscape', 580, 378],
  ['a phone below whose board there are words', 378, 340],
  ['a small phone below whose board there are words', 348, 325],
  ['a small phone in landscape', 506, 348],
  ['a tablet', 808, 880],
  ['a laptop', 720, 520],
  ['a screen', 1060, 660],
  ['a large screen', 1900, 1150],
  ['a narrow column', 600, 1600],
];

const SLACK = 0.01; // of reckoning

function inside(inner: Box, outer: Omit<Box, 'x' | 'y'>): boolean {
  return (
    inner.x >= -SLACK &&
    inner.y >= -SLACK &&
    inner.x + inner.width <= outer.width + SLACK &&
    inner.y + inner.height <= outer.height + SLACK
  );
}

function apart(one: Box, two: Box): boolean {
  return (
    one.x + one.width <= two.x + SLACK ||
    two.x + two.width <= one.x + SLACK ||
    one.y + one.height <= two.y + SLACK ||
    two.y + two.height <= one.y + SLACK
  );
}

describe.each(ROOMS)('the board in the room of %s', (_name, width, height) => {
  const room = { width, height };
  const plan = planFor(room);

  it('keeps every city within the room and apart from the others', () => {
    const boxes = [...ORDER.map((code) => cityBox(plan, code)), middleBox(plan)];
    boxes.forEach((box, index) => {
      expect(inside(box, room)).toBe(true);
      for (const other of boxes.slice(index + 1)) expect(apart(box, other)).toBe(true);
    });
  });

  it('fills the room one way or the other', () => {
    expect(Math.max(plan.width / width, plan.height / height)).toBeGreaterThan(0.995);
  });

  it('keeps the towers, the card and the tokens of a city apart', () => {
    const { city, tower, token, card, crest } = plan;
    const towers = [tower.left, tower.right].map((middle) => ({
      x: middle - tower.width / 2,
      y: tower.top,
      width: tower.width,
      height: tower.ground - tower.top,
    }));
    const tokens = [tower.left, tower.right].map((middle) => ({
      x: middle - token.size / 2,
      y: token.y - token.size / 2,
      width: token.size,
      height: token.size,
    }));
    const parts = [...towers, ...tokens, card, ...(crest ? [crest] : [])];
    parts.forEach((part, index) => {
      expect(inside(part, city)).toBe(true);
      for (const other of parts.slice(index + 1)) expect(apart(part, other)).toBe(true);
    });
    expect(tower.top).toBeGreaterThanOrEqual(plan.band);
    expect(card.y).toBeGreaterThanOrEqual(plan.band);
  });

  it('writes names so large that they can be read', () => {
    expect(plan.name.size).toBeGreaterThanOrEqual(11.5);
    expect(plan.count.size).toBeGreaterThanOrEqual(9.5);
  });

  it('has ten roads, and twelve with Pistoia', () => {
    expect(roads(plan, NINE)).toHaveLength(10);
    expect(roads(plan, ORDER)).toHaveLength(12);
  });

  it('does not join Roma and Firenze', () =>
    expect(roads(plan, NINE as ViewCityCode[]).some((road) => road.pair.includes('FI-RO'))).toBe(
      false,
    ));

  it('lets the middle reach down to the edge without Pistoia', () => {
    const middle = middleBox(plan, false);
    const place = cityBox(plan, 'PI');
    expect(middle.y + middle.height).toBeCloseTo(place.y + place.height);
  });
});
