/** The running score of an evening: the games of one chain of rematches. */

import { t } from '../lib/i18n.svelte';
import type { EveningScore } from '../protocol';

/** Everybody's wins and points in a line; empty before the second game. */
export function eveningText(
  evening: readonly (EveningScore | null)[],
  seats: readonly { name: string }[],
): string {
  const games = Math.max(0, ...evening.map((each) => each?.games ?? 0));
  if (games < 2) return '';
  const scores = evening.map((each, seat) => ({
    name: seats[seat]?.name ?? '',
    wins: each?.wins ?? 0,
    points: each?.points ?? 0,
  }));
  scores.sort((one, two) => two.wins - one.wins || two.points - one.points);
  const list = scores.map(({ name, wins, points }) => t('evening.score', { name, wins, points }));
  return t('evening.line', { games, scores: list.join(', ') });
}
