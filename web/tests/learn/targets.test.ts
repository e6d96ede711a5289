import { describe, expect, it } from 'vitest';
import { aboutCities, nextTarget, outcomeTarget } from '../../src/learn/targets';
import { Choices, EMPTY, type Draft } from '../../src/turn/draft';
import type { LessonGoal, View } from '../../src/protocol';
import { answer, city, goal, record, view } from './positions';

function next(
  aim: LessonGoal,
  legal: string[],
  draft: Draft = EMPTY,
  phase: View['phase'] = 'build',
) {
  const at = view({ legal, cities: [city('PA', { taller: 'R', left: [0], right: [0, 1] })] });
  return nextTarget(aim, at, new Choices(legal, phase).next(draft), draft)?.find;
}

describe('what to do next', () => {
  const legal = ['PA4:L', 'PA4:R', 'BO5:L'];

  it('is the card, then a site, then the end of the turn', () => {
    const aim = goal('complete', { card: 'PA4', city: 'PA' });
    expect(next(aim, legal)).toBe('[data-card="PA4"]');
    expect(next(aim, legal, { ...EMPTY, card: 'PA4' })).toBe('[data-site="PA.L"]');
    expect(next(aim, legal, { ...EMPTY, card: 'PA4', sites: ['L'] })).toBe('[data-choice="end"]');
  });

  it('is the right card again where another one was chosen', () => {
    const aim = goal('complete', { card: 'PA4', city: 'PA' });
    expect(next(aim, legal, { ...EMPTY, card: 'BO5' })).toBe('[data-card="PA4"]');
  });

  it('is any card where any will do', () => {
    expect(next(goal('build'), legal)).toBe('[data-card="PA4"]');
  });

  it('is the taller tower to win a tie, and the other one to move from', () => {
    const tie = goal('tie', { card: 'PA4', city: 'PA' });
    expect(next(tie, legal, { ...EMPTY, card: 'PA4' })).toBe('[data-site="PA.R"]');
    const move = goal('move', { card: 'FI3', city: 'PA' });
    const laid: Draft = { ...EMPTY, card: 'FI3', sites: ['L'] };
    expect(next(move, ['FI3:L', 'FI3:L>PA.L', 'FI3:L>PA.R'], laid)).toBe('[data-site="PA.L"]');
  });

  it('is the other site for a second floor', () => {
    const aim = goal('double', { card: 'PA1', city: 'PA' });
    const laid: Draft = { ...EMPTY, card: 'PA1', sites: ['L'] };
    expect(next(aim, ['PA1:LL', 'PA1:LR', 'PA1:RR'], laid)).toBe('[data-site="PA.R"]');
  });

  it("is another city's card of a free draw", () => {
    const aim = goal('free-draw', { card: 'MI3', city: 'MI' });
    const laid: Draft = { ...EMPTY, card: 'MI3', sites: ['L'] };
    expect(next(aim, ['MI3:L+MI', 'MI3:L+PA'], laid)).toBe('[data-anchor="city-PA"]');
  });

  it('is the road of a messenger', () => {
    const aim = goal('messenger', { pair: 'MI-PA' });
    const legalThere = ['BO5:L', 'BO5:L@MI-PA'];
    const draft = new Choices(legalThere, 'messenger').begin();
    expect(next(aim, legalThere, draft, 'messenger')).toBe('[data-anchor="pair-MI-PA"]');
  });
});

describe('what it was about', () => {
  const about = (aim: LessonGoal, move: string) =>
    outcomeTarget(answer({ goal: aim, record: record(move) }))?.find;

  it.each([
    [goal('build'), 'BO5:R', '[data-site="BO.R"]'],
    [goal('complete', { city: 'PA' }), 'PA4:L', '[data-city="PA"] > rect'],
    [goal('complete', { city: 'PA' }), 'BO5:L', '[data-city="PA"] > rect'],
    [goal('free-draw', { city: 'MI' }), 'MI3:L+PA', '[data-anchor="city-PA"]'],
    [goal('free-draw', { city: 'MI' }), 'FI3:L', '[data-city="FI"] > rect'],
    [goal('portraits', { city: 'SI' }), 'SI5:L', '[data-heads]'],
    [goal('messenger', { pair: 'MI-PA' }), 'BO5:L@MI-PA', '[data-anchor="pair-MI-PA"]'],
  ])('%o after %s: %s', (aim, move, find) => {
    expect(about(aim, move)).toBe(find);
  });

  it('is nothing without a turn, or without a messenger', () => {
    expect(outcomeTarget(answer())).toBeNull();
    expect(about(goal('messenger', { pair: 'MI-PA' }), 'BO5:L')).toBeUndefined();
  });

  it('names its cities beforehand, where they give nothing away', () => {
    expect(aboutCities(goal('messenger', { pair: 'MI-PA' }))).toEqual(['MI', 'PA']);
    expect(aboutCities(goal('tie', { city: 'FE', card: 'FE4' }))).toEqual(['FE']);
    expect(aboutCities(goal('portraits', { city: 'SI', card: 'SI5' }))).toEqual([]);
    expect(aboutCities(goal('build'))).toEqual([]);
  });
});
