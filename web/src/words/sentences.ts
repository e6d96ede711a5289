/** Events as sentences in the reader's language. */

import { CITIES } from '../art/cities';
import { list, t } from '../lib/i18n.svelte';
import { called } from '../lib/names';
import type { LogEntry, SeatInfo, ViewDeck, ViewRecord } from '../protocol';
import { faceOf, type CardFace } from '../art/cards';
import { citiesOf, readTurn } from '../turn/notation';

export interface People {
  seats: readonly Pick<SeatInfo, 'seat' | 'name' | 'you'>[];
  alone: boolean; // only one seat is mine: it is called "you"
}

export function peopleAt(seats: readonly SeatInfo[]): People {
  return { seats, alone: seats.filter((seat) => seat.you).length === 1 };
}

export function nameOf(people: People, seat: number): string {
  const found = people.seats[seat];
  return found && found.you && people.alone ? t('log.you') : (found?.name ?? '');
}

export function who(people: People, seat: number): 'you' | 'other' {
  return people.alone && people.seats[seat]?.you ? 'you' : 'other';
}

/** A turn and, if it completed a city, who took which token. */
export function turnSentence(people: People, deck: ViewDeck, record: ViewRecord): string {
  const played = playedSentence(people, deck, record);
  return record.scored ? `${played} ${scoredSentence(people, record)}` : played;
}

/** A turn without its scoring; `short` names only the city of the card taken. */
export function playedSentence(
  people: People,
  deck: ViewDeck,
  record: ViewRecord,
  short = false,
): string {
  const turn = readTurn(record.move);
  const name = nameOf(people, record.seat);
  const values = { who: who(people, record.seat), city: CITIES[turn.city].name };
  const parts = [
    turn.sites.length === 1
      ? t('log.built', values)
      : turn.sites[0] === turn.sites[1]
        ? t('log.built-two', values)
        : t('log.built-each', values),
  ];
  if (turn.move) parts.push(t('log.moved', { ...values, city: CITIES[turn.move.city].name }));
  if (record.drawn && short)
    parts.push(
      t('log.took-short', { ...values, city: CITIES[faceOf(deck, record.drawn).city].name }),
    );
  else if (record.drawn)
    parts.push(t('log.took', { ...values, card: cardName(deck, record.drawn) }));
  if (turn.messenger) {
    const [one, two] = citiesOf(turn.messenger);
    parts.push(t('log.messenger', { ...values, one: CITIES[one].name, two: CITIES[two].name }));
  }
  return t('log.turn', { name, deeds: list(parts) });
}

/** Who took which token of a completed city; '' if the turn completed none. */
export function scoredSentence(people: People, record: ViewRecord): string {
  const scored = record.scored;
  if (!scored) return '';
  const city = CITIES[scored.city].name;
  const [high, low] = scored.tokens;
  if (scored.taller === scored.lower)
    return t('log.scored-both', {
      city,
      name: nameOf(people, scored.taller),
      who: who(people, scored.taller),
      high,
      low,
      chips: scored.chips * 2,
    });
  return t('log.scored', {
    city,
    taller: nameOf(people, scored.taller),
    tallerWho: who(people, scored.taller),
    lower: nameOf(people, scored.lower),
    lowerWho: who(people, scored.lower),
    high,
    low,
    chips: scored.chips,
  });
}

/** "Lucca card: a Lady, star". */
export function cardName(deck: ViewDeck, id: string): string {
  const face = faceOf(deck, id);
  const city = CITIES[face.city].name;
  return t(face.star ? 'card.name-star' : 'card.name', { city, what: cardFace(face) });
}

/** What a card shows beside its crest: "two crests", "a Lady". */
export function cardFace(face: CardFace): string {
  return face.kind === 'heads'
    ? t(face.heads === 2 ? 'card.heads-two' : 'card.heads', { noble: face.noble ?? 'L' })
    : t(`card.${face.kind}`);
}

/** Any other log entry; null if the chronicle leaves it out. */
export function newsSentence(people: People, entry: LogEntry): string | null {
  if (entry.kind === 'undone') return t('log.undone');
  if (entry.kind !== 'news') return null;
  const { what, seat } = entry;
  if (what === 'created' || what === 'closed' || what === 'undo-answered') return null;
  const name = called(entry) || (seat === null ? '' : (people.seats[seat]?.name ?? ''));
  return t(`log.news.${what}`, { name });
}
