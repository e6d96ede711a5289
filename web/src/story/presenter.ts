/** Plays animations at a readable pace; everything can be skipped.
 *
 * Frames are queued. Each stays as long as its event needs, and shorter while more turns are queued.
 * The table's state after them is a *settling*: it is shown when all frames before it have been.
 */

import type { Event, Frame } from './frames';

export type Pace = 'calm' | 'brisk' | 'instant';

const STAY: Record<Event['kind'], number> = {
  card: 420,
  floor: 360,
  scored: 1100,
  moved: 480,
  drawn: 420,
  refill: 420,
  messenger: 520,
};
const SPEED: Record<Pace, number> = { calm: 1, brisk: 0.4, instant: 0 };
const HASTE = [1, 0.75, 0.55]; // with no, one, or more turns queued
const OVERLAP = 0.4; // of a refill's duration: the next turn begins while the card is turned up

export interface Show<T> {
  onFrame: (frame: Frame) => void;
  onSettle: (settled: T) => void;
  pace: () => Pace;
  hurried?: () => boolean; // whether queued turns are shown faster; default: yes
  wait?: (then: () => void, ms: number) => () => void; // returns a function that cancels
}

type Item<T> = { frame: Frame } | { settled: T };

function waiting(then: () => void, ms: number): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}

export class Presenter<T> {
  private queue: Item<T>[] = [];
  private stop: (() => void) | null = null;

  constructor(private readonly show: Show<T>) {}

  get isBusy(): boolean {
    return this.stop !== null;
  }

  push(frames: readonly Frame[], settled: T): void {
    this.queue.push(...frames.map((frame) => ({ frame })), { settled });
    if (this.stop === null) this.next();
  }

  /** Skip to the last settling. */
  skip(): void {
    this.stop?.();
    this.stop = null;
    const rest = this.queue;
    this.queue = [];
    for (const item of rest) if ('settled' in item) this.show.onSettle(item.settled);
  }

  private next(): void {
    for (let item = this.queue.shift(); item; item = this.queue.shift()) {
      if ('settled' in item) {
        this.show.onSettle(item.settled);
        continue;
      }
      const ms = this.stay(item.frame) * SPEED[this.show.pace()];
      if (ms === 0) continue;
      this.show.onFrame(item.frame);
      this.stop = (this.show.wait ?? waiting)(() => {
        this.stop = null;
        this.next();
      }, ms);
      return;
    }
  }

  private stay({ event, record }: Frame): number {
    const usual = STAY[event.kind];
    if (this.show.hurried?.() === false) return usual;
    const waiting = new Set<number>();
    for (const item of this.queue)
      if ('frame' in item && item.frame.record.turn !== record.turn)
        waiting.add(item.frame.record.turn);
    const overlap = event.kind === 'refill' && waiting.size ? OVERLAP : 1;
    return usual * overlap * (HASTE[Math.min(waiting.size, HASTE.length - 1)] ?? 1);
  }
}
