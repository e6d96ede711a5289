/** The ending in sentences, for screen readers. */

import { CITIES } from '../art/cities';
import { list, t } from '../lib/i18n.svelte';
import type { FinalCount, ViewCityCode, ViewOutcome } from '../protocol';
import { ranked, type Step } from './count';

/** The announcement after a step; none after the first of a city's two tokens. */
export function said(
  steps: readonly Step[],
  at: number,
  finalCount: FinalCount,
  outcome: ViewOutcome,
  names: readonly string[],
): string {
  const step = steps[at];
  const name = (seat: number) => names[seat] ?? '';
  if (!step) return '';
  if (step.kind === 'token' && step.site === 'right') {
    const { code, left, right } = finalCount.cities[step.city]!;
    return t('ending.city', {
      city: CITIES[code as ViewCityCode].name,
      first: name(left.seat),
      one: left.token,
      second: name(right.seat),
      two: right.token,
      same: String(left.seat === right.seat),
    });
  }
  if (step.kind === 'sets') {
    const count = (finalCount.portraits[step.seat] ?? []).reduce((sum, each) => sum + each.sets, 0);
    const points = outcome.scores[step.seat]?.sets ?? 0;
    return t('ending.sets', { name: name(step.seat), count, points });
  }
  if (step.kind === 'chips' && steps[at + 1]?.kind !== 'chips') {
    const parts = outcome.scores.flatMap((score, seat) =>
      score.chips ? [`${name(seat)} ${score.chips}`] : [],
    );
    return t('ending.chips', { points: list(parts) });
  }
  if (step.kind === 'minus') {
    const count = -(outcome.scores[step.seat]?.minus ?? 0);
    return t('ending.minus', { name: name(step.seat), count });
  }
  if (step.kind === 'points') return summary(outcome, names);
  return '';
}

/** Who won, and everybody's points. */
export function summary(outcome: ViewOutcome, names: readonly string[]): string {
  const winners = outcome.winners.map((seat) => names[seat] ?? '');
  const title = t('result.title', { names: list(winners), count: winners.length });
  const tie = outcome.tie_break ? ` ${t('result.tie-break')}` : '';
  const points = ranked(outcome).map(
    (seat) =>
      `${names[seat] ?? ''} ${t('count.points', { count: outcome.scores[seat]?.total ?? 0 })}`,
  );
  return `${title}.${tie} ${list(points)}.`;
}
