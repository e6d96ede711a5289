/** Why a turn was good, or what was better: facts of the rules as sentences. */

import { CITIES } from '../art/cities';
import { t } from '../lib/i18n.svelte';
import type { TurnReason, ViewCityCode, ViewDeck, ViewPair } from '../protocol';
import { citiesOf } from '../turn/notation';
import { shortCard } from './choices';
import { portraitsWords } from './outlook';

/** A fact about a turn of the player called `name`. */
export function reasonWords(
  reason: TurnReason,
  name: string,
  names: readonly string[],
  deck: ViewDeck,
): string {
  const { kind, city, seat, points = 0, tower, noble = 'L', heads = 0, card, pair } = reason;
  const [one, two] = pair ? citiesOf(pair as ViewPair) : [null, null];
  return t(`why.${kind}`, {
    name,
    points,
    city: city ? CITIES[city as ViewCityCode].name : '',
    seat: seat === undefined ? '' : (names[seat] ?? ''),
    tower: tower ?? 'taller',
    portraits: portraitsWords(noble, heads),
    noble,
    card: card ? shortCard(deck, card) : '',
    one: one ? CITIES[one].name : '',
    two: two ? CITIES[two].name : '',
    towers: reason.towers ?? 0,
    floors: reason.floors ?? 0,
  });
}
