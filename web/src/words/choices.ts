/** A whole turn in a line, as a proposal: "Siena (two crests), both left; takes Roma (a Lady)". */

import { faceOf } from '../art/cards';
import { CITIES } from '../art/cities';
import { t } from '../lib/i18n.svelte';
import type { View, ViewDeck } from '../protocol';
import { citiesOf, readTurn } from '../turn/notation';
import { placeOf } from '../turn/sketch';
import { cardFace } from './sentences';

/** `before`: the position, which tells the card that is taken; null: unknown, as later in a line. */
export function choiceWords(
  move: string,
  deck: ViewDeck,
  before: Pick<View, 'cities'> | null,
): string {
  const turn = readTurn(move);
  const values = { card: shortCard(deck, turn.card), site: turn.sites[0] ?? 'L' };
  const parts = [
    turn.sites.length === 1
      ? t('choice.one', values)
      : turn.sites[0] === turn.sites[1]
        ? t('choice.both', values)
        : t('choice.each', { card: values.card }),
  ];
  if (turn.move)
    parts.push(t('choice.move', { city: CITIES[turn.move.city].name, site: turn.move.site }));
  const taken = before?.cities.find((city) => city.code === placeOf(turn))?.card;
  if (taken) parts.push(t('choice.take', { card: shortCard(deck, taken) }));
  else if (turn.draw) parts.push(t('choice.take-from', { city: CITIES[turn.draw].name }));
  if (turn.messenger) {
    const [one, two] = citiesOf(turn.messenger).map((code) => CITIES[code].name);
    parts.push(t('choice.messenger', { one: one ?? '', two: two ?? '' }));
  }
  return parts.join('; ');
}

/** "Lucca (two crests)". */
export function shortCard(deck: ViewDeck, id: string): string {
  const face = faceOf(deck, id);
  return t('card.short', { city: CITIES[face.city].name, what: cardFace(face) });
}
