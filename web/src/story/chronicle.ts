/** The event log of a table, assembled from its messages. */

import type { LogEntry, TableMessage, TurnEntry } from '../protocol';

export class Chronicle {
  private readonly bySeq = new Map<number, LogEntry>();

  /** Add a message; returns the turns that are new since the last one. */
  take(message: TableMessage): TurnEntry[] {
    const fresh: TurnEntry[] = [];
    for (const entry of message.log) {
      if (this.bySeq.has(entry.seq)) continue;
      this.bySeq.set(entry.seq, entry);
      if (entry.kind === 'undone') this.forget(entry.to_turn, entry.seq);
      else if (entry.kind === 'turn') fresh.push(entry);
    }
    return fresh.filter((entry) => this.bySeq.has(entry.seq));
  }

  get entries(): LogEntry[] {
    return [...this.bySeq.values()].sort((one, two) => one.seq - two.seq);
  }

  private forget(toTurn: number, before: number): void {
    for (const [seq, entry] of this.bySeq) {
      if (entry.kind === 'turn' && seq < before && entry.record.turn > toTurn)
        this.bySeq.delete(seq);
    }
  }
}
