/** Asks the server about lines: positions beyond a record. Known ones are cached. */

import { request } from '../lib/api';
import type { BotName, LineAdvice, LineAnswer, LineReply } from '../protocol';

/** The end of a line: a number of turns of the record, then others. */
export interface Place {
  at: number;
  moves: readonly string[];
}

const MOST_KEPT = 60; // positions

export class Lines {
  private readonly known = new Map<string, Promise<LineAnswer>>();

  constructor(readonly record: string) {}

  /** The position at the end of a line, after so many decisions of its next turn. */
  look({ at, moves }: Place, decisions: readonly string[] = []): Promise<LineAnswer> {
    const name = [at, ...moves, '', ...decisions].join(' ');
    const found =
      this.known.get(name) ??
      request<LineAnswer>('POST', '/api/lines', { record: this.record, at, moves, decisions });
    this.known.delete(name);
    this.known.set(name, found);
    found.catch(() => this.known.delete(name));
    for (const oldest of [...this.known.keys()].slice(0, -MOST_KEPT)) this.known.delete(oldest);
    return found;
  }

  reply({ at, moves }: Place, level: BotName): Promise<string> {
    const body = { record: this.record, at, moves, level };
    return request<LineReply>('POST', '/api/lines/reply', body).then(({ move }) => move);
  }

  advise({ at, moves }: Place, about = ''): Promise<LineAdvice> {
    const body = { record: this.record, at, moves, about };
    return request<LineAdvice>('POST', '/api/lines/advice', body);
  }
}
