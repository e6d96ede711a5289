import { describe, expect, it } from 'vitest';
import { Round } from '../../src/story/round';
import type { Board } from '../../src/turn/position';
import type { TableMessage, TurnEntry } from '../../src/protocol';
import { city, record, view } from '../learn/positions';

function at(turn: number, left: number[], more: Partial<TableMessage> = {}): TableMessage {
  const shown = view({ turn, cities: [city('PA', { left: left as 0[] })] });
  return { turn, seats: [{}, {}, {}], views: [{ view: shown }], ...more } as TableMessage;
}

function turn(number: number, seat: number): TurnEntry {
  const played = record('PA4:L', { turn: number, seat: seat as 0 });
  return { kind: 'turn', seq: number, at: 0, by: 'bot', record: played, standings: {} };
}

function ago(turn: number, left: number[]): TableMessage['round_ago'] {
  return { turn, cities: [city('PA', { left: left as 0[] })], messengers: [], pile_left: 9 };
}

const lower = ({ cities }: Board) => cities[0]?.left;
const numbers = (round: Round, seat: number | null) =>
  round.since(seat)?.turns.map((each) => each.record.turn);

describe('the last round', () => {
  const four = [turn(1, 0), turn(2, 1), turn(3, 2), turn(4, 0)];
  const come = Round.NONE.after(at(4, [0, 1, 2, 0], { round_ago: ago(1, [0]) }), four);

  it('is known to somebody who has only just come', () => {
    expect(numbers(come, 1)).toEqual([3, 4]);
    expect(lower(come.since(1)!.board)).toEqual([0, 1]);
    expect(numbers(come, 0)).toEqual([]);
    expect(lower(come.since(0)!.board)).toEqual([0, 1, 2, 0]);
  });

  it('is all of it to a watcher', () => {
    expect(numbers(come, null)).toEqual([2, 3, 4]);
    expect(lower(come.since(null)!.board)).toEqual([0]);
  });

  it('goes on with every message and forgets what is longer ago', () => {
    const later = come.after(at(6, [0, 1, 2, 0, 1, 2]), [turn(5, 1), turn(6, 2)]);
    expect(numbers(later, 0)).toEqual([5, 6]);
    expect(lower(later.since(0)!.board)).toEqual([0, 1, 2, 0]);
    expect(numbers(later, null)).toEqual([4, 5, 6]);
  });

  it('begins with the game', () => {
    const begun = Round.NONE.after(at(0, [], { round_ago: ago(0, []) }), []);
    const first = begun.after(at(2, [1, 2]), [turn(1, 1), turn(2, 2)]);
    expect(numbers(first, 0)).toEqual([1, 2]);
    expect(lower(first.since(0)!.board)).toEqual([]);
  });

  it('goes back with turns that are taken back, and on with others', () => {
    const back = come.after(at(2, [0, 1]), []);
    expect(numbers(back, 0)).toEqual([2]);
    const other = back.after(at(3, [0, 1, 2]), [turn(3, 2)]);
    expect(numbers(other, 0)).toEqual([2, 3]);
    expect(lower(other.since(1)!.board)).toEqual([0, 1]);
  });

  it('is not known where turns are missing', () => {
    const gap = come.after(at(9, [2]), [turn(8, 1), turn(9, 2)]);
    expect(gap.since(0)).toBeNull();
    expect(numbers(gap, 2)).toEqual([]);
  });
});
