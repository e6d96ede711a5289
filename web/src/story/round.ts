/** The last round of a table: its turns, and the board after each of them. */

import type { TableMessage, TurnEntry } from '../protocol';
import type { Board } from '../turn/position';
import { framesOf } from './frames';

type Played = Pick<TurnEntry, 'record' | 'standings'>;

/** The turns between a board and the present one. */
interface Stretch {
  board: Board;
  turns: readonly Played[];
}

/** An immutable value: every message returns the next one. Turns are counted from 1, as in records. */
export class Round {
  static readonly NONE = new Round(new Map(), new Map(), 0);

  private constructor(
    private readonly boards: ReadonlyMap<number, Board>, // by turns completed
    private readonly turns: ReadonlyMap<number, Played>,
    private readonly now: number, // turns completed
  ) {}

  /** The round after a message, given the turns that are new in it. */
  after(message: TableMessage, fresh: readonly TurnEntry[]): Round {
    const boards = new Map(this.boards);
    const turns = new Map(this.turns);
    const { round_ago: ago, turn: now } = message;
    if (ago) boards.set(ago.turn, ago);
    for (const entry of fresh) {
      const { record, standings } = entry;
      if (ago && record.turn <= ago.turn) continue;
      turns.set(record.turn, entry);
      const before = boards.get(record.turn - 1);
      const after = before && framesOf(before, record, standings).at(-1)?.board;
      if (after) boards.set(record.turn, after);
      else boards.delete(record.turn); // of a turn that was taken back
    }
    const view = message.views[0]?.view;
    if (view && !view.pending) boards.set(now, view);
    const first = now - message.seats.length;
    for (const turn of boards.keys()) if (turn > now || turn < first) boards.delete(turn);
    for (const turn of turns.keys()) if (turn > now || turn <= first) turns.delete(turn);
    return new Round(boards, turns, now);
  }

  /** The turns since a seat's last turn; for a watcher, the whole round. Null: not known. */
  since(seat: number | null): Stretch | null {
    const turns: Played[] = [];
    let at = this.now;
    for (; ; at -= 1) {
      const played = this.turns.get(at);
      if (!played || played.record.seat === seat) break;
      turns.unshift(played);
    }
    const board = this.boards.get(at);
    return board ? { board, turns } : null;
  }
}
