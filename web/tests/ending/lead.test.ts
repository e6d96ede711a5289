import { expect, it } from 'vitest';
import { aheadFrom, gatheredBy } from '../../src/ending/lead';
import type { ViewDeck, ViewRecord } from '../../src/protocol';

it('finds the turn from which on somebody was ahead for good', () => {
  const curve = [
    [0, 0],
    [5, 0],
    [5, 7],
    [9, 7],
    [9, 9],
    [9, 12],
    [9, 20],
  ];
  expect(aheadFrom(curve, 1)).toBe(5);
  expect(aheadFrom(curve, 0)).toBeNull();
});

it('finds none where points were equal at the end', () => {
  expect(aheadFrom([[0, 0], [4, 4]], 0)).toBeNull(); // prettier-ignore
});

const deck = {
  name: '',
  cards: { BO3: '?', BO4: 'L*', BO7: 'LL', FI6: 'L', FI4: 'B*' },
} as ViewDeck;
const record = (turn: number, seat: number, move: string) => ({ turn, seat, move }) as ViewRecord;

it('finds the portraits that a turn brought together', () => {
  const turns = [record(1, 0, 'BO7:L'), record(2, 1, 'FI6:L'), record(3, 0, 'BO4:L')];
  expect(gatheredBy(turns[2]!, turns, deck)).toEqual({ noble: 'L', heads: 3 });
  expect(gatheredBy(turns[1]!, turns, deck)).toBeNull(); // nobody else's
  expect(gatheredBy(record(3, 0, 'FI4:L'), turns, deck)).toBeNull(); // of another noble
  expect(gatheredBy(record(3, 0, 'BO3:L'), turns, deck)).toBeNull();
  expect(gatheredBy(turns[2]!, turns.slice(1), deck)).toBeNull(); // not all are known
});

it('counts turns that were taken back once', () => {
  const turns = [record(1, 0, 'BO7:L'), record(1, 0, 'BO3:L'), record(2, 1, 'FI6:L')];
  expect(gatheredBy(record(3, 0, 'BO4:L'), turns, deck)).toBeNull();
});
