import { expect, it } from 'vitest';
import { Chronicle } from '../../src/story/chronicle';
import { message, turn } from '../turn/table';

it('tells which turns are new', () => {
  const chronicle = new Chronicle();
  expect(chronicle.take(message([turn(3, 1)])).map((each) => each.seq)).toEqual([3]);
  expect(chronicle.take(message([turn(3, 1), turn(4, 2)])).map((each) => each.seq)).toEqual([4]);
  expect(chronicle.entries.map((each) => each.seq)).toEqual([3, 4]);
});

it('keeps the order of the sequence numbers', () => {
  const chronicle = new Chronicle();
  chronicle.take(message([turn(9, 2)]));
  chronicle.take(message([turn(3, 1)]));
  expect(chronicle.entries.map((each) => each.seq)).toEqual([3, 9]);
});

it('forgets turns that were taken back, and not those played again', () => {
  const chronicle = new Chronicle();
  chronicle.take(message([turn(3, 1), turn(4, 2), turn(5, 3)]));
  const fresh = chronicle.take(
    message([{ kind: 'undone', seq: 6, at: 0, to_turn: 1 }, turn(7, 2)]),
  );
  expect(fresh.map((each) => each.seq)).toEqual([7]);
  expect(chronicle.entries.map((each) => each.seq)).toEqual([3, 6, 7]);
});
