import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES, speak, type Language } from '../../src/lib/i18n.svelte';
import type { ViewCity } from '../../src/protocol';
import type { Outlook } from '../../src/turn/outlook';
import { outlookWords } from '../../src/words/outlook';
import type { People } from '../../src/words/sentences';
import { setWords } from '../../src/words/sums';
import { tallyWords, towerWords } from '../../src/words/towers';
import { city, view } from '../learn/positions';

beforeAll(() => speak('en'));
afterEach(() => speak('en'));

const NAMES = ['Ada', 'Bianca', 'Carla', 'Dino'];
const PEOPLE: People = {
  seats: NAMES.map((name, seat) => ({ seat: seat as 0, name, you: seat === 0 })),
  alone: true,
};
const parma = city('PA', {
  left: [1, 2, 1, 2],
  right: [0],
  leaders: [2, 0],
  tallies: [[[2, 2], [1, 2]], [[0, 1]]], // prettier-ignore
  taller: 'L',
});
const NOTHING: Outlook = {
  gain: null,
  takes: null,
  city: null,
  sites: [],
  moved: false,
  answers: [],
  leads: null,
};
const words = (outlook: Partial<Outlook>) =>
  outlookWords({ ...NOTHING, ...outlook }, PEOPLE, view().deck);
const answer = (seat: number, points = 0) => ({ seat, card: 'PA1', sites: 'L', points });
const takes: Outlook['takes'] = { city: 'PA', shares: [[1, 7], [0, 4]] }; // prettier-ignore

it('says what is taken, and leaves out who leads there', () => {
  expect(words({ takes, city: parma, sites: ['L'] })).toEqual([
    'Parma complete: Bianca\u00a0+7, you\u00a0+4',
  ]);
});

it('says what portraits bring, or what they lack', () => {
  const gain = { noble: 'K', heads: 3, points: 6, missing: 3 } as const;
  expect(words({ gain })).toEqual(['3 Knights: +6']);
  expect(words({ gain: { ...gain, heads: 1, points: 0, missing: 2 } })).toEqual([
    '1 Knight, 2 more for 6',
  ]);
});

it('says who leads which tower, with the tie', () => {
  expect(words({ city: parma, sites: ['L', 'R'] })).toEqual([
    'left: Carla leads the 5 with 2 (higher), Bianca\u00a02',
    'right: you lead the 2 with 1',
  ]);
  expect(words({ city: city('PA'), sites: ['L'] })).toEqual(['left: no floor yet']);
  // A special action is in another city than the card's, so that is named.
  expect(words({ city: parma, sites: ['L', 'R'], moved: true })).toEqual([
    'Parma, left: Carla leads the 5 with 2 (higher), Bianca\u00a02',
    'right: you lead the 2 with 1',
  ]);
  // Towers equally high: either token is possible.
  expect(words({ city: { ...parma, taller: null }, sites: ['R'] })).toEqual([
    'right: you lead with 1',
  ]);
});

it('says in short who leads, and by how many floors', () => {
  const short = (changes: Partial<Outlook>) =>
    outlookWords({ ...NOTHING, ...changes }, PEOPLE, view().deck, true);
  expect(short({ city: parma, sites: ['L', 'R'] })).toEqual([
    'left: Carla leads the 5 (2:2, higher)',
    'right: you lead the 2',
  ]);
});

it('says in short only who could answer', () => {
  const short = (answers: Outlook['answers']) =>
    outlookWords({ ...NOTHING, answers }, PEOPLE, view().deck, true);
  expect(short([answer(1, 5), answer(1)])).toEqual(['Bianca could answer']);
  expect(short([answer(1), answer(2)])).toEqual(['Bianca and Carla could answer']);
});

it('says who could answer with which card, or only who', () => {
  expect(words({ answers: [answer(1, 7)] })).toEqual([
    'Bianca could answer and take 7: Parma (two crests)',
  ]);
  expect(words({ answers: [answer(1), answer(2), answer(3)] })).toEqual([
    'Bianca, Carla and Dino could answer',
  ]);
});

it('says for whom a messenger would count', () => {
  expect(words({ leads: { pair: 'MI-PA', shares: [[0, 2], [1, 1]] } })).toEqual([
    'Milano and Parma: you lead 2 towers, Bianca leads 1 tower',
  ]); // prettier-ignore
  expect(words({ leads: { pair: 'MI-PA', shares: [] } })).toEqual([
    'Milano and Parma: nobody leads yet',
  ]);
});

it('tells of a tower whose floors it is made of, and what it brings', () => {
  const nameOf = (seat: number) => NAMES[seat] ?? '';
  expect(towerWords(parma, 'L', 2, nameOf)).toEqual({
    title: 'Parma, left tower',
    tally: 'Carla\u00a02 (higher), Bianca\u00a02',
    tie: 'Equal floors: whoever owns the higher one leads.',
    token: 'Brings 5 + 2 for messengers',
  });
  expect(towerWords({ ...parma, taller: null }, 'R', 0, nameOf).token).toBe('Brings 5 or 2');
  const scored: ViewCity = { ...parma, winners: [2, 0] };
  expect(towerWords(scored, 'R', 0, nameOf)).toMatchObject({ tie: '', token: 'Ada took 2' });
  expect(towerWords(scored, 'R', 0, nameOf, 0).token).toBe('You took 2');
});

it('tells of portraits what they bring and lack', () => {
  expect(setWords({ noble: 'B', heads: 4, points: 6, missing: 2 })).toBe(
    '4 Bankers: 6, 2 more for 6',
  );
  expect(setWords({ noble: 'L', heads: 2, points: 0, missing: 1 })).toBe(
    '2 Ladies, one more for 6',
  );
});

describe.each(Object.keys(LANGUAGES) as Language[])('%s', (language) => {
  it('names everybody and every number', async () => {
    await speak(language);
    expect(words({ takes })[0]).toMatch(/Parma.*Bianca\s\+7.*\+4/);
    expect(words({ answers: [answer(1, 7)] })[0]).toMatch(/Bianca.*7.*Parma/);
    expect(words({ city: parma, sites: ['L'] })[0]).toMatch(/Carla.*5.*2.*Bianca\s2/);
    expect(tallyWords(parma, 'R', () => 'Ada')).toBe('Ada\u00a01');
    expect(setWords({ noble: 'K', heads: 4, points: 6, missing: 2 })).toMatch(/4.*6.*2.*6/);
    const leads = words({ leads: { pair: 'MI-PA', shares: [[1, 2]] } })[0];
    expect(leads).toMatch(/Milano.*Parma.*Bianca.*2/);
  });
});
