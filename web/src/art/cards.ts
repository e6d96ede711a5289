/** What a card shows, parsed from its text in the deck ("2", "?", ">", "L*", "KK"). */

import type { ViewCityCode, ViewDeck } from '../protocol';

export type Noble = 'L' | 'B' | 'K';

export interface CardFace {
  id: string; // "BO4"
  city: ViewCityCode;
  kind: 'crests' | 'draw' | 'move' | 'heads' | 'plain';
  crests: 1 | 2; // floors it builds
  noble: Noble | null;
  heads: 0 | 1 | 2;
  star: boolean;
}

export function faceOf(deck: ViewDeck, id: string): CardFace {
  const text = deck.cards[id] ?? '';
  const noble = (/[LBK]/.exec(text)?.[0] ?? null) as Noble | null;
  const heads = (text.match(/[LBK]/g) ?? []).length as 0 | 1 | 2;
  const kind = text.includes('2')
    ? 'crests'
    : text.includes('?')
      ? 'draw'
      : text.includes('>')
        ? 'move'
        : heads
          ? 'heads'
          : 'plain';
  return {
    id,
    city: id.slice(0, 2) as ViewCityCode,
    kind,
    crests: kind === 'crests' ? 2 : 1,
    noble,
    heads,
    star: text.includes('*'),
  };
}

/** A card by its id and what it shows, without a game around it: picture('BO4', 'L*'). */
export function picture(id: string, text: string): CardFace {
  return faceOf({ name: '', cards: { [id]: text } }, id);
}
