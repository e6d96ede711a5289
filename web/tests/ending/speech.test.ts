import { beforeAll, expect, it } from 'vitest';
import { said, summary, tokensTaken } from '../../src/ending/speech';
import { loadTopic, speak, type Language } from '../../src/lib/i18n.svelte';
import type { FinalCount, FinishedCity, ViewOutcome } from '../../src/protocol';
import type { People } from '../../src/words/sentences';

const tower = (token: number, seat: number) => ({ floors: [seat], token, seat, chips: 0 });
const city = (code: string, left: number, right: number) =>
  ({ code, left: tower(7, left), right: tower(4, right), chips: 0 }) as FinishedCity;
const people: People = {
  seats: [
    { seat: 0, name: 'Guest 1626', you: true },
    { seat: 1, name: 'Bianca', you: false },
  ],
  alone: true,
};
const score = (total: number, minus = 0) => ({ tokens: 0, sets: 0, chips: 0, minus, total });
const outcome = {
  scores: [score(30), score(21, -3)],
  winners: [0],
  tie_break: false,
} as unknown as ViewOutcome;

beforeAll(() => loadTopic('ending'));

it.each([
  ['en', 'Milano: you take 7, Bianca takes 4.', 'Milano: Bianca takes 7, you take 4.'],
  ['de', 'Milano: du bekommst die 7, Bianca die 4.', 'Milano: Bianca bekommt die 7, du die 4.'],
  ['nl', 'Milano: jij krijgt de 7, Bianca de 4.', 'Milano: Bianca krijgt de 7, jij de 4.'],
  ['it', 'Milano: tu prendi 7, Bianca 4.', 'Milano: Bianca prende 7, tu 4.'],
])('calls the reader "you" (%s)', async (language, mineFirst, mineLast) => {
  await speak(language as Language);
  expect(tokensTaken(city('MI', 0, 1), people)).toBe(mineFirst);
  expect(tokensTaken(city('MI', 1, 0), people)).toBe(mineLast);
  expect(tokensTaken(city('MI', 0, 0), people)).not.toContain('Guest');
});

it('tells who loses points, and who has won', async () => {
  await speak('en');
  const count = { cities: [], portraits: [], curve: [] } as unknown as FinalCount;
  const minus = (seat: number) =>
    said([{ kind: 'minus', seat }], 0, count, outcome, people).slice(0, 10);
  expect([minus(0), minus(1)]).toEqual(['You are in', 'Bianca is ']);
  expect(summary(outcome, people)).toBe('You win! Points: you 30 and Bianca 21.');
  expect(summary(outcome, { ...people, alone: false })).toMatch(/^Guest 1626 wins\. /);
});
