import { describe, expect, it } from 'vitest';
import { LANGUAGES, readUp, speak, type Language } from '../../src/lib/i18n.svelte';
import type { TurnReason, ViewDeck } from '../../src/protocol';
import { choiceWords } from '../../src/words/choices';
import { reasonWords } from '../../src/words/reasons';

const deck: ViewDeck = { name: 'classic', cards: { SI1: '2', RO4: 'K*', LU3: '>', VE2: '?' } };
const names = ['Anna', 'Bianca', 'Cosimo'];
const REASONS: Omit<TurnReason, 'of'>[] = [
  { kind: 'scores', city: 'SI', points: 7 },
  { kind: 'gives', city: 'SI', points: 7, seat: 1 },
  { kind: 'lead', city: 'SI', points: 7, tower: 'taller' },
  { kind: 'lead-from', city: 'SI', points: 4, tower: 'lower', seat: 1 },
  { kind: 'ahead', city: 'SI', points: 4, tower: 'left', floors: 2 },
  { kind: 'nears', city: 'SI', points: 7, tower: 'taller', seat: 2 },
  { kind: 'unseats', city: 'SI', points: 4, tower: 'right', seat: 1 },
  { kind: 'drops', city: 'SI', points: 4, tower: 'lower' },
  { kind: 'taller', city: 'SI', points: 7 },
  { kind: 'taller-other', city: 'SI', points: 7, seat: 1 },
  { kind: 'set', heads: 3, noble: 'K', points: 6 },
  { kind: 'portraits', heads: 2, noble: 'B' },
  { kind: 'draws-set', card: 'RO4', noble: 'K', points: 6 },
  { kind: 'draws-portraits', card: 'RO4', noble: 'K' },
  { kind: 'draws-finish', card: 'SI1', city: 'SI', points: 7 },
  { kind: 'draws-action', card: 'LU3' },
  { kind: 'draws-free', card: 'VE2' },
  { kind: 'draws-crests', card: 'SI1', city: 'SI' },
  { kind: 'messenger', pair: 'LU-SI', points: 4, towers: 2 },
  { kind: 'messenger-other', pair: 'LU-SI', points: 2, towers: 1, seat: 2 },
  { kind: 'leaves', card: 'SI1', city: 'SI', points: 7, seat: 1 },
  { kind: 'exposes', card: 'SI1', city: 'SI', seat: 1 },
  { kind: 'denies', card: 'SI1', city: 'SI', points: 3, seat: 1 },
  { kind: 'wins' },
  { kind: 'shares' },
  { kind: 'loses' },
];

async function told(language: Language): Promise<string[]> {
  await speak(language);
  await readUp('analysis');
  return REASONS.map((each) => reasonWords({ ...each, of: 'played' }, 'Anna', names, deck));
}

describe.each(Object.keys(LANGUAGES) as Language[])('reasons in %s', (language) => {
  it('are whole sentences with all their facts', async () => {
    const sentences = await told(language);
    REASONS.forEach((reason, index) => {
      const sentence = sentences[index] ?? '';
      expect(sentence).toMatch(/^[A-ZÀ-Ü0-9].*\.$/);
      expect(sentence).not.toMatch(/why\.|[{}]|undefined/);
      if (reason.city) expect(sentence).toContain('Siena');
      if (reason.points) expect(sentence).toContain(String(reason.points));
      if (reason.seat !== undefined) expect(sentence).toContain(names[reason.seat]);
      if (reason.floors) expect(sentence).toContain(String(reason.floors));
      if (reason.pair) expect(sentence).toContain('Lucca');
      if (reason.card === 'RO4') expect(sentence).toContain('Roma');
    });
    expect(new Set(sentences).size).toBe(REASONS.length);
  });
});

it('says what is worth it in English', async () => {
  const sentences = await told('en');
  expect(sentences[3]).toBe(
    'Anna takes the lead in the lower tower of Siena from Bianca, worth 4.',
  );
  expect(sentences[4]).toBe('Anna is 2 floors ahead in the left tower of Siena, worth at least 4.');
  expect(sentences[8]).toBe('The tower that Anna leads in Siena becomes the taller one, worth 7.');
  expect(sentences[10]).toBe('3 Knights on the pile: +6.');
});

it('tells a turn in a line', async () => {
  await speak('en');
  await readUp('analysis');
  expect(choiceWords('SI1:LL', deck, null)).toBe('Siena (two crests), both left');
  expect(choiceWords('LU3:L>MI.R+RO@PA-VE', deck, null)).toBe(
    'Lucca (special action), left; moves a floor in Milano from right to left; ' +
      'takes the card at Roma; messenger between Parma and Verona',
  );
});

it('keeps a topic when the language changes', async () => {
  await speak('en');
  await readUp('analysis');
  await speak('de');
  expect(choiceWords('SI1:LR', deck, null)).toBe('Siena (zwei Wappen), auf jeden Turm eines');
});

it('loads a topic and a language at the same time', async () => {
  await Promise.all([speak('it'), readUp('analysis'), speak('nl')]);
  expect(choiceWords('SI1:LR', deck, null)).toBe('Siena (twee wapenschilden), één op elke toren');
});
