/** The moments that decided a game, in words. */

import { CITIES } from '../art/cities';
import { change, t } from '../lib/i18n.svelte';
import type { Analysis, Moment, ReasonKind, View, ViewDeck } from '../protocol';
import { readTurn } from '../turn/notation';
import { placeOf } from '../turn/sketch';
import { choiceWords, shortCard } from './choices';
import { reasonWords } from './reasons';

const OWN = 0.25; // of the greatest change: from then on it is about who played
const SOLVED: readonly ReasonKind[] = ['wins', 'shares', 'loses']; // they say nothing of the turn

/** What happened; `before` is the position before the turn, if it is at hand. */
export function momentWords(
  moment: Moment,
  analysis: Analysis,
  names: readonly string[],
  deck: ViewDeck,
  before: Pick<View, 'cities'> | null = null,
): string {
  const name = names[moment.seat] ?? '';
  const turn = analysis.turns[moment.turn - 1];
  if (moment.kind === 'deal' || !turn)
    return t(changeIn(moment) < 0 ? 'analysis.moment.deal-against' : 'analysis.moment.deal', {
      name,
    });
  if (moment.kind === 'card')
    return t('analysis.moment.card', {
      card: turn.refill ? shortCard(deck, turn.refill) : '',
      city: CITIES[placeOf(readTurn(turn.move))].name,
    });
  const why = turn.why?.find(({ of, kind }) => of === 'played' && !SOLVED.includes(kind));
  if (why) return reasonWords(why, name, names, deck);
  return t('analysis.moment.error', { name, turn: choiceWords(turn.move, deck, before) });
}

/** What it changed: "−9% for Anna". */
export function effectWords(moment: Moment, names: readonly string[]): string {
  const values = { change: change(changeIn(moment)), name: names[affected(moment)] ?? '' };
  return t(moment.kind === 'error' ? 'analysis.moment.lost' : 'analysis.moment.luck', values);
}

/** What it changed for the seat that it is about. */
export function changeIn(moment: Moment): number {
  return moment.change[affected(moment)] ?? 0;
}

/** The seat that it is about: who played, unless it changed far more for somebody else. */
function affected({ seat, change: all }: Moment): number {
  const sizes = all.map(Math.abs);
  const most = Math.max(...sizes);
  return (sizes[seat] ?? 0) > most * OWN ? seat : sizes.indexOf(most);
}

/** The moment that moved most. */
export function greatest(moments: readonly Moment[]): Moment | null {
  const swing = ({ change }: Moment) => change.reduce((sum, each) => sum + Math.abs(each), 0);
  return moments.reduce<Moment | null>(
    (best, each) => (best === null || swing(each) > swing(best) ? each : best),
    null,
  );
}
