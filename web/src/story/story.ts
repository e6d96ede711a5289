/** The animation from one message of a table to the next. */

import type { SeatView, TableMessage, TurnEntry } from '../protocol';
import { framesOf, OWN, type Frame } from './frames';
import type { Board } from '../turn/position';

const MOST_SHOWN = 6; // turns animated in a row; after a longer absence the page just catches up

type Told = Pick<TurnEntry, 'record' | 'standings' | 'by'>;

/** The board that a message shows to a seat, or to its recipient. */
export function toldTo(message: TableMessage | null, seat: number | null): SeatView | null {
  return message?.views.find((each) => each.seat === seat) ?? message?.views[0] ?? null;
}

export class Story {
  private start: Board | null = null; // before the current turn; null: not seen
  private told = 0; // frames of that turn shown so far

  /** Frames of the turns that are new in a message, and of the current one. */
  tell(before: TableMessage | null, message: TableMessage, turns: readonly TurnEntry[]): Frame[] {
    const after = message.views[0];
    if (!after) return [];
    const { pending } = after.view;
    if (!before || !this.start || turns.length > MOST_SHOWN || !follows(before, message, turns)) {
      this.begin(pending ? null : after.view);
      return [];
    }
    let board = this.start;
    const frames: Frame[] = [];
    const add = (turn: Told) => {
      const all = framesOf(board, turn.record, turn.standings);
      frames.push(...all.slice(this.told).filter(({ event }) => isNews(message, turn, event)));
      return all;
    };
    for (const turn of turns) {
      board = add(turn).at(-1)?.board ?? board;
      this.begin(board); // the next turn begins here
    }
    if (pending)
      this.told = add({ record: pending, standings: after.standings, by: 'person' }).length;
    else this.begin(after.view);
    return frames;
  }

  private begin(board: Board | null): void {
    this.start = board;
    this.told = 0;
  }
}

/** Whether these turns are exactly those between two messages. */
function follows(before: TableMessage, after: TableMessage, turns: readonly TurnEntry[]): boolean {
  return (
    after.turn === before.turn + turns.length &&
    turns.every((entry, index) => entry.record.turn === before.turn + index + 1)
  );
}

/** My own pieces are on the board already: only the consequences are animated. */
function isNews({ you }: TableMessage, { record, by }: Told, event: Frame['event']): boolean {
  return by !== 'person' || !you.seats.includes(record.seat) || !OWN.includes(event.kind);
}
