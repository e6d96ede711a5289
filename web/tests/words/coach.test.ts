import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES, speak, type Language } from '../../src/lib/i18n.svelte';
import type { View, ViewRecord } from '../../src/protocol';
import { coachWords } from '../../src/words/coach';
import type { People } from '../../src/words/sentences';
import { city, view } from '../learn/positions';

beforeAll(() => speak('en'));
afterEach(() => speak('en'));

const PEOPLE: People = {
  seats: ['Ada', 'Bianca'].map((name, seat) => ({ seat: seat as 0, name, you: seat === 0 })),
  alone: true,
};
const played = (move: string, more: Partial<ViewRecord> = {}): ViewRecord => ({
  turn: 3,
  seat: 1,
  move,
  drawn: null,
  refill: null,
  scored: null,
  ...more,
});
const at = (parma: Parameters<typeof city>[1]): View => {
  const seen = view();
  return {
    ...seen,
    cities: seen.cities.map((each) => (each.code === 'PA' ? city('PA', parma) : each)),
  };
};

it('tells a beginner how to begin', () => {
  const mine = { ...view(), viewer: 0 as const, seat: 0 as const };
  expect(coachWords(null, mine, PEOPLE)[0]).toMatch(/^You begin/);
  expect(coachWords(null, { ...mine, seat: 1 }, PEOPLE)).toEqual([]);
});

it('says who leads the tower that was built on', () => {
  const seen = at({ left: [1, 1], right: [0], tallies: [[[1, 2]], [[0, 1]]], taller: 'L' });
  expect(coachWords(played('PA1:L'), seen, PEOPLE)[0]).toMatch(
    /^Bianca now leads the tower for 5 in Parma/,
  );
});

it('says nothing of towers in which somebody else leads', () => {
  const seen = at({ left: [0, 0, 1], right: [], tallies: [[[0, 2], [1, 1]], []], taller: 'L' }); // prettier-ignore
  expect(coachWords(played('PA1:L'), seen, PEOPLE).join()).not.toMatch(/leads/);
});

it('points out that a city lacks one floor, and what was taken', () => {
  const seen = at({ left: [1, 1], right: [0, 0], tallies: [[[1, 2]], [[0, 2]]], taller: null });
  const words = coachWords(played('PA1:L', { drawn: 'PA1', refill: 'MI3' }), seen, PEOPLE);
  expect(words[0]).toMatch(/^Parma lacks one floor only/);
  expect(words[1]).toMatch(
    /^Bianca took a card that all could see: .*It builds two floors in Parma/,
  );
});

it('has no remarks on my own turns', () => {
  expect(coachWords(played('PA1:L', { seat: 0 }), view(), PEOPLE)).toEqual([]);
});

describe('in every language', () => {
  for (const language of Object.keys(LANGUAGES) as Language[])
    it(language, async () => {
      await speak(language);
      const seen = at({ left: [1, 1], right: [0], tallies: [[[1, 2]], [[0, 1]]], taller: 'L' });
      const words = coachWords(played('PA1:L', { drawn: 'PA1' }), seen, PEOPLE);
      expect(words.length).toBeGreaterThan(1);
      for (const each of words) expect(each).toMatch(/Bianca|\w{4,}/);
      for (const each of words) expect(each).not.toMatch(/[{}]/);
    });
});
