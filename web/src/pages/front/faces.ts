/** Cards for pictures, without a game around them. */

import { faceOf, type CardFace } from '../../art/cards';

/** A card by its id and what it shows: picture('BO4', 'L*'). */
export function picture(id: string, text: string): CardFace {
  return faceOf({ name: '', cards: { [id]: text } }, id);
}
