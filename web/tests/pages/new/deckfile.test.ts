import { expect, it } from 'vitest';
import { DeckProblem, readDeck } from '../../../src/pages/new/deckfile';

const TOML = `# my box
name = "mine"  # "really"

[cards]
BO = ["2", "2", "?", "L*", "B*", "K", "LL"]
FE = [
  "2", # two crests
  ">",
  "L*",
  "B*",
]
`;

function problem(text: string): DeckProblem {
  try {
    readDeck(text, 'file');
  } catch (error) {
    if (error instanceof DeckProblem) return error;
  }
  throw new Error('it was read');
}

it('reads a deck file', () => {
  const deck = readDeck(TOML, 'file');
  expect(deck.name).toBe('mine');
  expect(Object.keys(deck.cards)).toHaveLength(11);
  expect(deck.cards).toMatchObject({ BO1: '2', BO7: 'LL', FE2: '>', FE4: 'B*' });
});

it('names a deck after its file where it has no name', () => {
  expect(readDeck('[cards]\r\nPA = ["2"]\r\n', 'box')).toEqual({
    name: 'box',
    cards: { PA1: '2' },
  });
});

it('reads cards one by one, and JSON', () => {
  expect(readDeck('BO1 = "2"', 'x').cards).toEqual({ BO1: '2' });
  expect(readDeck('{"name": "j", "cards": {"BO": ["2"], "FE1": "?"}}', 'x')).toEqual({
    name: 'j',
    cards: { BO1: '2', FE1: '?' },
  });
});

it('says what is wrong, and where', () => {
  expect(problem('')).toMatchObject({ reason: 'empty' });
  expect(problem('[cards]\nBO = 7')).toMatchObject({ reason: 'line', where: 'BO = 7' });
  expect(problem('BO = ["2", 3]')).toMatchObject({ reason: 'line' });
  expect(problem('hello')).toMatchObject({ reason: 'line', where: 'hello' });
  expect(problem('{"cards": ')).toMatchObject({ reason: 'json' });
  expect(problem('{"name": "x"}')).toMatchObject({ reason: 'empty' });
  expect(problem('{"cards": {"BO": 3}}')).toMatchObject({ reason: 'line', where: 'BO' });
  expect(problem('#'.repeat(30_000))).toMatchObject({ reason: 'long' });
});
