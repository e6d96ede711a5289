/** "What would you do?": the best bot's candidates, and the one being previewed. */

import { request } from '../../lib/api';
import { explain } from '../../lib/problems';
import type { Hint, HintAnswer } from '../../protocol';
import type { TableGame } from '../game.svelte';

export class Adviser {
  candidates = $state.raw<readonly Hint[] | null>(null);
  asking = $state(false);

  constructor(private readonly game: TableGame) {}

  /** Ask the server; returns the reason if there is no answer. */
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

  /** Preview a candidate on the board; null: none. */
  show(move: string | null): void {
    this.game.turn.look(move);
  }

  close(): void {
    this.candidates = null;
    this.game.turn.look(null);
  }

  /** Make a candidate the player's draft, as far as it can be chosen now. */
  take(move: string): void {
    this.close();
    this.game.turn.take(move);
  }
}
