/** The ending in sentences: the line below the title, and for screen readers. */

import { CITIES } from '../art/cities';
import { list, t } from '../lib/i18n.svelte';
import type { FinalCount, FinishedCity, ViewCityCode, ViewOutcome } from '../protocol';
import { nameOf, who, type People } from '../words/sentences';
import { ranked, type Step } from './count';

/** The announcement after a step; none after the first of a city's two tokens. */
export function said(
  steps: readonly Step[],
  at: number,
  finalCount: FinalCount,
  outcome: ViewOutcome,
  people: People,
): string {
  const step = steps[at];
  const name = (seat: number) => nameOf(people, seat);
  if (!step) return '';
  if (step.kind === 'token' && step.site === 'right')
    return tokensTaken(finalCount.cities[step.city]!, people);
  if (step.kind === 'sets') {
    const count = (finalCount.portraits[step.seat] ?? []).reduce((sum, each) => sum + each.sets, 0);
    const points = outcome.scores[step.seat]?.sets ?? 0;
    return t('ending.sets', { name: name(step.seat), count, points });
  }
  if (step.kind === 'chips' && steps[at + 1]?.kind !== 'chips') {
    const parts = outcome.scores.flatMap((score, seat) =>
      score.chips ? [pointsOf(seat, score.chips, people)] : [],
    );
    return t('ending.chips', { points: list(parts) });
  }
  if (step.kind === 'minus') {
    const count = -(outcome.scores[step.seat]?.minus ?? 0);
    return t('ending.minus', { who: who(people, step.seat), name: name(step.seat), count });
  }
  if (step.kind === 'points') return summary(outcome, people);
  return '';
}

/** Who takes the tokens of a city. */
export function tokensTaken({ code, left, right }: FinishedCity, people: People): string {
  return t('ending.city', {
    city: CITIES[code as ViewCityCode].name,
    firstWho: who(people, left.seat),
    first: nameOf(people, left.seat),
    one: left.token,
    secondWho: who(people, right.seat),
    second: nameOf(people, right.seat),
    two: right.token,
    same: String(left.seat === right.seat),
  });
}

/** Who won, and everybody's points. */
export function summary(outcome: ViewOutcome, people: People): string {
  const { winners } = outcome;
  const names = list(winners.map((seat) => people.seats[seat]?.name ?? ''));
  const mine = winners.length === 1 && who(people, winners[0]!) === 'you';
  const title = mine
    ? t('result.you-won')
    : `${t('result.title', { names, count: winners.length })}.`;
  const tie = outcome.tie_break ? ` ${t('result.tie-break')}` : '';
  const points = ranked(outcome).map((seat) =>
    pointsOf(seat, outcome.scores[seat]?.total ?? 0, people),
  );
  return `${title}${tie} ${t('ending.points', { points: list(points) })}`;
}

/** Somebody's points, within a sentence. */
function pointsOf(seat: number, count: number, people: People): string {
  return t('ending.points.of', { who: who(people, seat), name: nameOf(people, seat), count });
}
