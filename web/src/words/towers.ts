/** Towers in words: floors by owner, and points. */

import { CITIES } from '../art/cities';
import { t } from '../lib/i18n.svelte';
import type { ViewCity } from '../protocol';
import type { Site } from '../turn/notation';

type Names = (seat: number) => string;

interface TowerWords {
  title: string;
  tally: string; // '' without floors
  tie: string; // '' unless a tie decides who leads
  token: string;
}

/** A tower's token if the city were scored now: the higher one for the taller tower. */
export function tokenOf(city: ViewCity, site: Site): number | null {
  if (city.taller === null) return null;
  return city.taller === site ? city.tokens[0] : city.tokens[1];
}

/** "Carla 3 (higher), Anna 3, Elena 2". */
export function tallyWords(city: ViewCity, site: Site, nameOf: Names): string {
  const tally = city.tallies[site === 'L' ? 0 : 1];
  const tied = isTied(city, site);
  return tally
    .map(([seat, count], index) =>
      t(tied && index === 0 ? 'tower.owner-higher' : 'tower.owner', { name: nameOf(seat), count }),
    )
    .join(', ');
}

/** `bonus`: points that messengers add; `you`: the seat that `nameOf` calls "you". */
export function towerWords(
  city: ViewCity,
  site: Site,
  bonus: number,
  nameOf: Names,
  you: number | null = null,
): TowerWords {
  const [high, low] = city.tokens;
  const token = tokenOf(city, site);
  const winner = city.winners?.[city.taller === site ? 0 : 1];
  return {
    title: t('tower.title', { city: CITIES[city.code].name, site }),
    tally: tallyWords(city, site, nameOf),
    tie: isTied(city, site) ? t('tower.tie') : '',
    token:
      winner === undefined
        ? t('tower.token', { token: token ?? 0, high, low, bonus })
        : t('tower.taken', {
            who: winner === you ? 'you' : 'other',
            name: nameOf(winner),
            token: token ?? 0,
          }),
  };
}

/** Whether the first two have equally many floors. */
export function isTied(city: ViewCity, site: Site): boolean {
  const [first, second] = city.tallies[site === 'L' ? 0 : 1];
  return first !== undefined && second !== undefined && first[1] === second[1];
}
