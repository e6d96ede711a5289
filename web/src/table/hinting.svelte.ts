/** "What would you do?": the best bot's candidates, and the one that is being looked at. */

import { request } from '../lib/api';
import { explain } from '../lib/problems';
import { EMPTY, type Draft } from '../play/draft';
import { readTurn } from '../play/turns';
import type { Hint, HintAnswer } from '../protocol';
import type { TableGame } from './game.svelte';

export class Hinting {
  candidates = $state.raw<readonly Hint[] | null>(null);
  shown = $state.raw<Draft | null>(null); // laid out on the board while the pointer is there
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

  show(move: string | null): void {
    this.shown = move === null ? null : draftOf(move);
  }

  close(): void {
    this.candidates = null;
    this.shown = null;
  }

  /** Lay a candidate out as the player's own draft, as far as it can be chosen now. */
  take(move: string): void {
    const { game } = this;
    const turn = readTurn(move);
    this.close();
    if (game.choices.late) return game.choose({ messenger: turn.messenger ?? 'none' });
    game.draft = EMPTY;
    game.choose({ card: turn.card });
    for (const site of turn.sites) game.choose({ site });
    if (game.step?.kind === 'move') game.choose({ move: turn.move ?? 'none' });
    if (game.step?.kind === 'draw' && turn.draw) game.choose({ draw: turn.draw });
  }
}

function draftOf(move: string): Draft {
  const turn = readTurn(move);
  return {
    card: turn.card,
    sites: turn.sites,
    move: turn.move ?? 'none',
    draw: turn.draw,
    messenger: turn.messenger,
  };
}
