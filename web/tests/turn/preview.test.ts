import { describe, expect, it } from 'vitest';
import { draftOf, EMPTY } from '../../src/turn/draft';
import { preview } from '../../src/turn/preview';
import { view } from '../learn/positions';
import { city, standing } from './table';

const cities = [
  city('BO', { left: [1], leaders: [1, null], taller: 'L' }),
  city('MI', { left: [0, 1] }),
];
const start = view({ cities });
const standings = {
  'BO1:L': standing('L', [0, null]),
  'BO1:R': standing(null, [1, 0]),
  'BO1:LR': standing('L', [0, 0]),
  'BO4:R': { ...standing('L', [1, 0], [1, 0]), late: true },
  'BO5:R': standing('L', [1, 0], [1, 0]),
  '>MI.L': standing(null, [0, 1]),
};

describe('the preview of a draft', () => {
  it('shows nothing of an empty draft', () =>
    expect(preview(start, EMPTY, standings, false)).toEqual(start));

  it('shows floors, the special action and the messenger, and who would take what', () => {
    const draft = { ...draftOf('BO1:LR>MI.L@MI-PA'), sites: ['R', 'L'] as const };
    const shown = preview(start, draft, standings, true);
    expect(shown.cities[0]).toMatchObject({
      left: [1, 0],
      right: [0],
      taller: 'L',
      leaders: [0, 0],
    });
    expect(shown.cities[1]).toMatchObject({
      left: [0],
      right: [1],
      leaders: [0, 1],
      messengers: 1,
    });
    expect(shown.messengers).toEqual(['MI-PA']);
  });

  it('knows who leads after the first of two floors', () => {
    const one = preview(start, { ...EMPTY, card: 'BO1', sites: ['R'] }, standings, false);
    expect(one.cities[0]).toMatchObject({
      right: [0],
      taller: null,
      leaders: [1, 0],
      winners: null,
    });
  });

  it('shows a city as scored: at once, or when the turn is whole', () => {
    const winners = (turn: string, whole: boolean) =>
      preview(start, draftOf(turn), standings, whole).cities[0]?.winners;
    expect(winners('BO5:R', false)).toEqual([1, 0]);
    expect(winners('BO4:R', false)).toBeNull();
    expect(winners('BO4:R', true)).toEqual([1, 0]);
  });

  it('lays nothing twice in a turn under way', () => {
    const later = view({ cities, phase: 'messenger' });
    const shown = preview(later, draftOf('BO4:R@MI-PA'), standings, true);
    expect(shown.cities[0]).toMatchObject({ left: [1], right: [], winners: [1, 0] });
    const moving = view({ cities, phase: 'move' });
    const moved = preview(moving, { ...draftOf('BO1:LR>MI.L') }, standings, true);
    expect(moved.cities.map((each) => [each.left, each.right])).toEqual([
      [[1], []],
      [[0], [1]],
    ]);
  });
});
