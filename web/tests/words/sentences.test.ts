import { afterEach, describe, expect, it } from 'vitest';
import { LANGUAGES, speak, type Language } from '../../src/lib/i18n.svelte';
import type { ViewScored } from '../../src/protocol';
import { playedSentence, turnSentence, type People } from '../../src/words/sentences';
import { record, view } from '../learn/positions';

afterEach(() => speak('en'));

const PEOPLE: People = {
  seats: [
    { seat: 0, name: 'Ada', you: true },
    { seat: 1, name: 'Bianca', you: false },
  ],
  alone: true,
};

function told(taller: 0 | 1, lower: 0 | 1, chips: ViewScored['chips'] = 0): string {
  const scored: ViewScored = { city: 'PA', taller, lower, tokens: [5, 2], chips };
  return turnSentence(PEOPLE, view().deck, record('PA4:L', { scored }));
}

describe.each(Object.keys(LANGUAGES) as Language[])('%s', (language) => {
  it('names the points of a complete city', async () => {
    await speak(language);
    expect(told(1, 0)).toMatch(/Parma.*Bianca.*5.*2/);
    expect(told(1, 1)).toMatch(/Parma.*Bianca.*5.*2/);
    expect(told(0, 1)).toMatch(/5.*Bianca.* 2/);
    expect(told(0, 1, 2)).toMatch(/\+2/);
    expect(told(1, 1, 2)).toMatch(/\+4/);
  });
});

it('speaks to the reader', () => {
  expect(told(0, 1)).toContain('Parma is complete: you take 5, Bianca 2.');
  expect(told(0, 0, 2)).toContain('you take both tokens, 5 and 2 (+4 for messengers).');
});

it('tells of a card taken, in short only its city', () => {
  const { deck } = view();
  const turn = record('PA4:L', { seat: 1, drawn: 'SI1' });
  expect(playedSentence(PEOPLE, deck, turn)).toMatch(/Bianca builds.*takes the Siena card \(/);
  expect(playedSentence(PEOPLE, deck, turn, true)).toMatch(/Bianca builds.*takes a Siena card\./);
});
