/** "What would you do?": the best bot's candidates, and the one that is being looked at. */

import { request } from '../../lib/api';
import { explain } from '../../lib/problems';
import type { Hint, HintAnswer } from '../../protocol';
import type { TableGame } from '../game.svelte';

export class Adviser {
  candidates = $state.raw<readonly Hint[] | null>(null);
  asking = $state(false);

  constructor(private readonly game: TableGame) {}

  /** Ask the server; returns why there is no answer, if there is none. */
  async ask(): Promise<string | null> {
    const { message, view } = this.game;
    if (!message || view?.viewer == null || this.asking) return null;
    this.asking = true;
    try {
      const body = { seat: view.viewer, at_turn: message.turn };
      const answer = await request<HintAnswer>('POST', `/api/tables/${this.game.id}/hint`, body);
      const now = this.game.message;
      if (answer.turn === now?.turn && answer.step === now.step)
        this.candidates = answer.candidates;
      return null;
    } catch (error) {
      return explain(error);
    } finally {
      this.asking = false;
    }
  }

  /** Lay a candidate out on the board, or nothing any more. */
  show(move: string | null): void {
    this.game.turn.look(move);
  }

  close(): void {
    this.candidates = null;
    this.game.turn.look(null);
  }

  /** Lay a candidate out as the player's own draft, as far as it can be chosen now. */
  take(move: string): void {
    this.close();
    this.game.turn.take(move);
  }
}
