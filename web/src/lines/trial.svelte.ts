/** A turn tried at a position of a line: put together as at a table, but nothing is sent for good. */

import { prefs } from '../lib/settings.svelte';
import type { LineAnswer, View } from '../protocol';
import { TurnController, type Position } from '../turn/controller.svelte';
import { decisionAt } from '../turn/draft';
import type { Board } from '../turn/position';
import type { Lines, Place } from './source';

export type Stage = 'loading' | 'asking' | 'sending' | 'failed';

interface TrialConfig {
  lines: Pick<Lines, 'look'>;
  onTurn: (move: string) => void; // a whole turn was chosen
  onError: (error: unknown) => void;
}

export class Trial {
  stage = $state<Stage>('loading');
  answer = $state.raw<LineAnswer | null>(null);

  private place: Place = { at: 0, moves: [] };
  private settled: string[] = []; // decisions of the current turn
  private asked = 0; // counts requests: only the answer to the last one is shown

  readonly turn: TurnController;
  readonly view = $derived<View | null>(this.answer?.view ?? null);
  // In the middle of a turn, its first steps count as well.
  private readonly position = $derived.by((): Position | null => {
    const { answer } = this;
    if (!answer || answer.view.phase === 'build') return answer;
    return { ...answer, standings: { ...answer.steps, ...answer.standings } };
  });
  readonly board = $derived.by((): Board | null => this.turn.board);

  constructor(private readonly config: TrialConfig) {
    this.turn = new TurnController({
      position: () => this.position,
      toDecide: () => this.stage !== 'loading' && this.answer?.seat != null,
      busy: () => this.stage !== 'asking',
      atOnce: () => prefs.now.sendAtOnce,
      send: () => void this.endTurn(),
    });
  }

  /** Go to a position. */
  async open(place: Place): Promise<void> {
    this.place = place;
    this.settled = [];
    this.stage = 'loading';
    await this.ask();
  }

  /** Begin the turn again. */
  again(): Promise<void> {
    return this.open(this.place);
  }

  async endTurn(): Promise<void> {
    const { step, draft } = this.turn;
    if (step?.kind !== 'ready' || this.stage !== 'asking') return;
    if (!step.messengerFollows) return this.config.onTurn(step.turn);
    // A messenger comes after the refill, so the choices so far are settled first.
    this.stage = 'sending';
    for (;;) {
      const decision = decisionAt(draft, this.answer?.view.phase ?? 'over');
      if (decision === null || this.answer?.view.phase === 'messenger') break;
      this.settled = [...this.settled, decision];
      if (!(await this.ask(false))) return;
    }
    this.stage = 'asking';
    this.turn.begin();
  }

  private async ask(ready = true): Promise<boolean> {
    const number = (this.asked += 1);
    try {
      const answer = await this.config.lines.look(this.place, this.settled);
      if (number !== this.asked) return false;
      this.answer = answer;
      if (ready) {
        this.stage = 'asking';
        this.turn.begin();
      }
      return true;
    } catch (error) {
      if (number === this.asked) {
        this.stage = 'failed';
        this.config.onError(error);
      }
      return false;
    }
  }
}
