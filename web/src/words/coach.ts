/** A coach for first games: explains other players' turns, from public information only. */

import { faceOf } from '../art/cards';
import { CITIES } from '../art/cities';
import { t } from '../lib/i18n.svelte';
import type { View, ViewRecord } from '../protocol';
import { readTurn, type Site } from '../turn/notation';
import { cardName, nameOf, who, type People } from './sentences';
import { tokenOf } from './towers';

const ABILITIES = { crests: 'double', move: 'move', draw: 'any', heads: 'portraits' } as const;

/** Remarks on the last turn of somebody else; on none yet, how to begin. */
export function coachWords(record: ViewRecord | null, view: View, people: People): string[] {
  if (!record) return view.viewer === view.seat ? [t('coach.first')] : [];
  if (who(people, record.seat) === 'you') return [];
  const turn = readTurn(record.move);
  const name = nameOf(people, record.seat);
  const city = view.cities.find((each) => each.code === turn.city);
  const remarks: string[] = [];
  if (!city) return remarks;
  const values = { name, city: CITIES[city.code].name };
  const led = ([...new Set(turn.sites)] as Site[]).filter(
    (site) => city.tallies[site === 'L' ? 0 : 1][0]?.[0] === record.seat,
  );
  const token = led[0] ? tokenOf(city, led[0]) : null;
  if (record.scored) remarks.push(t('coach.scored', values));
  else if (led.length > 1 || token !== null)
    remarks.push(
      t('coach.leads', { ...values, both: led.length > 1 ? 'yes' : 'no', token: token ?? 0 }),
    );
  if (turn.move) remarks.push(t('coach.moved', { city: CITIES[turn.move.city].name }));
  if (!record.scored && city.left.length + city.right.length === city.capacity - 1)
    remarks.push(t('coach.near', values));
  if (record.drawn && !record.refill) remarks.push(t('coach.pile'));
  const face = record.drawn ? faceOf(view.deck, record.drawn) : null;
  if (record.drawn && face && face.kind !== 'plain')
    remarks.push(
      t('coach.took', {
        name,
        card: cardName(view.deck, record.drawn),
        city: CITIES[face.city].name,
        what: ABILITIES[face.kind],
      }),
    );
  return remarks.length ? remarks : [t('coach.mine')];
}
