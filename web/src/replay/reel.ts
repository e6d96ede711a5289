/** A replay in progress: its position, whether it is playing, and the frames in between. */

import { framesOf, type Frame } from '../story/frames';
import { Presenter, type Pace } from '../story/presenter';
import type { Replay } from '../protocol';

export interface ReelState {
  at: number; // turns shown, from 0
  running: boolean;
  frame: Frame | null; // of the next turn
}

interface ReelConfig {
  onChange: (state: ReelState) => void;
  pace: () => Pace;
  wait?: (then: () => void, ms: number) => () => void;
}

const PAUSE: Record<Pace, number> = { calm: 900, brisk: 500, instant: 800 }; // between turns, in ms

function waiting(then: () => void, ms: number): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}

export class Reel {
  state: ReelState;
  private readonly presenter: Presenter<number>;
  private stopWaiting: (() => void) | null = null;

  constructor(
    private readonly replay: Pick<Replay, 'frames' | 'turns' | 'standings'>,
    private readonly config: ReelConfig,
    at = 0,
  ) {
    this.state = { at: this.within(at), running: false, frame: null };
    this.presenter = new Presenter<number>({
      onFrame: (frame) => this.change({ frame }),
      onSettle: (next) => this.settle(next),
      pace: config.pace,
      wait: config.wait,
    });
  }

  get last(): number {
    return this.replay.frames.length - 1;
  }

  /** The index of the turn being animated, or of the last one; -1 before the first. */
  get turn(): number {
    return this.state.frame ? this.state.at : this.state.at - 1;
  }

  /** Jump to a position. */
  jump(at: number): void {
    this.halt();
    this.change({ at: this.within(at), running: false, frame: null });
  }

  back(): void {
    this.jump(this.state.frame ? this.state.at : this.state.at - 1);
  }

  /** Animate the next turn; one in progress is skipped. */
  next(): void {
    if (this.presenter.isBusy) this.presenter.skip();
    this.stopWaiting?.();
    this.stopWaiting = null;
    this.tell();
  }

  toggle(): void {
    if (this.state.running) this.pause();
    else this.run();
  }

  run(): void {
    if (this.state.at >= this.last) this.jump(0);
    this.change({ running: true });
    this.tell();
  }

  pause(): void {
    this.stopWaiting?.();
    this.stopWaiting = null;
    this.change({ running: false });
    if (this.presenter.isBusy) this.presenter.skip();
  }

  close(): void {
    this.halt();
  }

  private tell(): void {
    const { at } = this.state;
    const { frames, turns, standings } = this.replay;
    const [from, turn, steps] = [frames[at], turns[at], standings[at]];
    if (!from || !turn || !steps) return this.change({ running: false });
    this.presenter.push(framesOf(from, turn, steps), at + 1);
  }

  private settle(next: number): void {
    const running = this.state.running && next < this.last;
    this.change({ at: next, frame: null, running });
    if (!running) return;
    const wait = this.config.wait ?? waiting;
    this.stopWaiting = wait(() => {
      this.stopWaiting = null;
      if (this.state.running) this.tell();
    }, PAUSE[this.config.pace()]);
  }

  /** Stop everything. */
  private halt(): void {
    this.stopWaiting?.();
    this.stopWaiting = null;
    this.state = { ...this.state, running: false };
    if (this.presenter.isBusy) this.presenter.skip();
  }

  private within(at: number): number {
    return Math.min(this.replay.frames.length - 1, Math.max(0, Math.trunc(at) || 0));
  }

  private change(part: Partial<ReelState>): void {
    this.state = { ...this.state, ...part };
    this.config.onChange(this.state);
  }
}
