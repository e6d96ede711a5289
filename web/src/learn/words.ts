/** Values for the texts of a scene: cities, cards, tokens, who took what. */

import { CITIES } from '../art/cities';
import { t, type Values } from '../lib/i18n.svelte';
import { faceOf } from '../art/cards';
import { citiesOf, readTurn } from '../turn/notation';
import type { LessonAnswer, ViewCityCode, ViewPair } from '../protocol';

function cityName(code: string | null | undefined): string {
  return code ? CITIES[code as ViewCityCode].name : '';
}

export function valuesOf(answer: LessonAnswer): Values {
  const { goal, view, record, seat } = answer;
  const turn = record ? readTurn(record.move) : null;
  const code = goal.city ?? turn?.city ?? null;
  const city = view.cities.find((each) => each.code === code);
  const pair = goal.pair ? citiesOf(goal.pair as ViewPair) : null;
  const place = turn?.draw ?? turn?.city ?? null;
  const noble = goal.card ? faceOf(view.deck, goal.card).noble : null;
  const [high, low] = city?.tokens ?? [0, 0];
  return {
    city: cityName(code),
    capacity: city?.capacity ?? 0,
    high,
    low,
    built: cityName(turn?.city),
    place: cityName(place),
    one: cityName(pair?.[0]),
    two: cityName(pair?.[1]),
    noble: noble ?? 'L',
    rival: t('learn.rival'),
    who: whoTook(answer, seat),
  };
}

function whoTook({ record }: LessonAnswer, seat: number): 'both' | 'taller' | 'lower' | 'none' {
  const scored = record?.scored;
  if (!scored) return 'none';
  const { taller, lower } = scored;
  if (taller === seat && lower === seat) return 'both';
  return taller === seat ? 'taller' : lower === seat ? 'lower' : 'none';
}
