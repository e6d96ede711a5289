/** The effects of the turn being put together, as short phrases in the reader's language. */

import { CITIES } from '../art/cities';
import { list, t } from '../lib/i18n.svelte';
import type { Answer, Gain, ViewCity, ViewDeck } from '../protocol';
import { citiesOf, type Site } from '../turn/notation';
import type { Outlook, Shares } from '../turn/outlook';
import { shortCard } from './choices';
import { nameOf, who, type People } from './sentences';
import { isTied, tokenOf } from './towers';

const MOST_NAMED = 2; // players named with the cards they could reply with; others by name only

/** In short: numbers of floors without names; who could answer, but not with which cards. */
export function outlookWords(
  outlook: Outlook,
  people: People,
  deck: ViewDeck,
  short = false,
): string[] {
  const { gain, takes, city, sites, moved, answers, leads } = outlook;
  const pieces: string[] = [];
  if (takes)
    pieces.push(
      t('outlook.takes', { city: CITIES[takes.city].name, shares: points(takes.shares, people) }),
    );
  if (gain) pieces.push(gainWords(gain));
  if (city && !(takes && takes.city === city.code))
    for (const site of sites) {
      const tower = towerLead(city, site, people, short);
      pieces.push(moved && site === sites[0] ? `${CITIES[city.code].name}, ${tower}` : tower);
    }
  pieces.push(...answerWords(answers, people, deck, short));
  if (leads) {
    const [one, two] = citiesOf(leads.pair).map((code) => CITIES[code].name);
    const values = { one: one ?? '', two: two ?? '' };
    pieces.push(
      leads.shares.length
        ? t('outlook.leads', { ...values, shares: leading(leads.shares, people) })
        : t('outlook.leads-none', values),
    );
  }
  return pieces;
}

/** "left: you lead the 9 with 3, Bianca 2"; in short "left: you lead the 9 (3:2)". */
function towerLead(city: ViewCity, site: Site, people: People, short: boolean): string {
  const tally = city.tallies[site === 'L' ? 0 : 1];
  const [first, ...others] = tally;
  if (!first) return t('outlook.tower-empty', { site, none: t('tower.empty') });
  const values = {
    site,
    who: who(people, first[0]),
    name: nameOf(people, first[0]),
    token: tokenOf(city, site) ?? 0,
    tie: String(isTied(city, site)),
  };
  if (short)
    return t('outlook.tower-short', {
      ...values,
      alone: String(!others.length),
      counts: `${first[1]}:${others[0]?.[1] ?? 0}`,
    });
  return t('outlook.tower', {
    ...values,
    count: first[1],
    others: others
      .map(([seat, count]) => `, ${t('tower.owner', { name: inside(people, seat), count })}`)
      .join(''),
  });
}

/** A player's name within a sentence. */
function inside(people: People, seat: number): string {
  return who(people, seat) === 'you' ? t('player.you') : nameOf(people, seat);
}

/** "4 Bankers". */
export function portraitsWords(noble: Gain['noble'], heads: number): string {
  return t('portraits.count', { noble, heads });
}

function gainWords({ noble, heads, points: brings, missing }: Gain): string {
  const portraits = portraitsWords(noble, heads);
  return brings
    ? t('outlook.gain', { portraits, points: brings })
    : t('outlook.gain-none', { portraits, missing });
}

function points(shares: Shares, people: People): string {
  return shares
    .map(([seat, brings]) =>
      t('outlook.share', { who: who(people, seat), name: nameOf(people, seat), points: brings }),
    )
    .join(', ');
}

function leading(shares: Shares, people: People): string {
  return shares
    .map(([seat, count]) =>
      t('outlook.lead', { who: who(people, seat), name: nameOf(people, seat), count }),
    )
    .join(', ');
}

function answerWords(
  answers: readonly Answer[],
  people: People,
  deck: ViewDeck,
  short: boolean,
): string[] {
  const seats = [...new Set(answers.map((answer) => answer.seat))];
  if (seats.length > MOST_NAMED || (short && seats.length)) {
    const names = list(seats.map((seat) => nameOf(people, seat)));
    return [t('outlook.answers', { names, count: seats.length })];
  }
  return seats.map((seat) => {
    const held = answers.filter((answer) => answer.seat === seat);
    return t('outlook.answer', {
      name: nameOf(people, seat),
      cards: list(held.map(({ card }) => shortCard(deck, card))),
      points: Math.max(...held.map((answer) => answer.points)),
    });
  });
}
