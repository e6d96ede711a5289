/** What the desk of a table says: to whom it speaks, what is to be done, what is being played. */

import { t } from '../lib/i18n.svelte';
import { narration, promptFor, type Prompt } from '../words/prompt';
import { peopleAt, turnSentence } from '../words/sentences';
import type { SeatInfo, TableMessage, View } from '../protocol';
import type { TableGame } from './game.svelte';

export interface Scene {
  game: TableGame;
  message: TableMessage;
  view: View;
  seats: readonly SeatInfo[];
  mover: number | null;
  short: boolean; // there is room for short sentences only
}

export function promptAt({ game, message, view, seats, mover, short }: Scene): Prompt {
  const { told, frame, turn } = game;
  const name = mover === null ? '' : (seats[mover]?.name ?? '');
  const people = peopleAt(seats);
  if (message.phase === 'finished' && !frame) return { line: t('table.over'), more: '' };
  if (message.you.role !== 'player')
    return {
      line: message.late ? t('table.late') : t('table.watching'),
      more: told ? turnSentence(people, view.deck, told) : t('table.their-turn', { name }),
    };
  if (game.covered) return { line: t('curtain.title', { name }), more: '' };
  if (frame) return narration(people, view, frame.record, short);
  if (game.sending || (mover !== null && mover === view.viewer && !turn.step))
    return { line: t('prompt.sent'), more: '' };
  if (turn.isLooking && turn.step)
    return { line: t('prompt.looking'), more: t('prompt.looking.more') };
  if (turn.step) return promptFor(view, turn.step, turn.draft);
  const waits = mover !== null && mover !== view.viewer && seats[mover]?.state === 'person';
  if (told && waits && !short && !seats[mover]?.stand_in)
    return { line: t('table.their-turn', { name }), more: turnSentence(people, view.deck, told) };
  if (told) return narration(people, view, told, short);
  return { line: t('table.their-turn', { name }), more: '' };
}
