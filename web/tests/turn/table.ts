/** Small boards and messages for tests. */

import type { Board } from '../../src/turn/position';
import type {
  Standing,
  TableMessage,
  TurnEntry,
  ViewCity,
  ViewCityCode,
  ViewTally,
} from '../../src/protocol';

export function city(code: ViewCityCode, changes: Partial<ViewCity> = {}): ViewCity {
  return {
    code,
    capacity: 5,
    tokens: [5, 2],
    left: [],
    right: [],
    leaders: [null, null],
    tallies: [[], []],
    taller: null,
    card: null,
    messengers: 0,
    winners: null,
    ...changes,
  };
}

export function board(cities: ViewCity[], changes: Partial<Board> = {}): Board {
  return { cities, messengers: [], pile_left: 10, ...changes };
}

export function turn(seq: number, number: number): TurnEntry {
  return {
    kind: 'turn',
    seq,
    at: 0,
    by: 'person',
    record: { turn: number, seat: 0, move: 'BO4:L', drawn: null, refill: null, scored: null },
    standings: {},
  };
}

export function message(log: TableMessage['log']): TableMessage {
  return { log } as unknown as TableMessage;
}

export function standing(
  taller: Standing['taller'],
  leaders: ViewCity['leaders'],
  winners: Standing['winners'] = null,
): Standing {
  const [left, right] = leaders.map((seat): ViewTally => (seat === null ? [] : [[seat, 1]]));
  return { taller, tallies: [left!, right!], winners, late: false };
}
