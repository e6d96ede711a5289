/** Parses a deck file: TOML as documented, or the same as JSON.
 *
 * Only the syntax is checked here; the server checks whether the deck can be played.
 */

import type { OwnDeck } from '../../protocol';

const LONGEST = 20_000; // characters: a deck has 55 short words

/** Why a file is not a deck: the key of a text, and the place in the file. */
export class DeckProblem extends Error {
  constructor(
    readonly reason: 'long' | 'line' | 'empty' | 'json',
    readonly where: string,
  ) {
    super(reason);
  }
}

export function readDeck(text: string, name: string): OwnDeck {
  if (text.length > LONGEST) throw new DeckProblem('long', '');
  const deck = text.trimStart().startsWith('{') ? fromJson(text, name) : fromToml(text, name);
  if (Object.keys(deck.cards).length === 0) throw new DeckProblem('empty', '');
  return deck;
}

function fromJson(text: string, name: string): OwnDeck {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new DeckProblem('json', error instanceof Error ? error.message : '');
  }
  const { name: own, cards } = data as { name?: unknown; cards?: unknown };
  if (typeof cards !== 'object' || cards === null) throw new DeckProblem('empty', '');
  const deck: OwnDeck = { name: typeof own === 'string' ? own : name, cards: {} };
  for (const [key, value] of Object.entries(cards)) add(deck, key, value, key);
  return deck;
}

function fromToml(text: string, name: string): OwnDeck {
  const deck: OwnDeck = { name, cards: {} };
  const joined = text.replaceAll('\r', '').replace(/\[[^[\]=]*\n[^[\]=]*\]/g, oneLine);
  for (const raw of joined.split('\n')) {
    const line = raw.replace(/^((?:[^"#]|"[^"]*")*)#.*$/, '$1').trim();
    if (line === '' || line === '[cards]') continue;
    const parts = /^"?(\w+)"?\s*=\s*(".*"|\[.*\])$/.exec(line);
    if (!parts?.[1] || !parts[2]) throw new DeckProblem('line', raw.trim());
    let value: unknown;
    try {
      value = JSON.parse(parts[2].replace(/,\s*\]$/, ']')); // TOML allows a comma at the end
    } catch {
      throw new DeckProblem('line', raw.trim());
    }
    if (parts[1] === 'name' && typeof value === 'string') deck.name = value;
    else add(deck, parts[1], value, raw.trim());
  }
  return deck;
}

const oneLine = (list: string) => list.replace(/#.*$/gm, '').replaceAll('\n', ' ');

/** One card, or all cards of a city. */
function add(deck: OwnDeck, key: string, value: unknown, where: string): void {
  if (typeof value === 'string') deck.cards[key] = value;
  else if (Array.isArray(value) && value.every((face) => typeof face === 'string')) {
    value.forEach((face, at) => (deck.cards[`${key}${at + 1}`] = face));
  } else throw new DeckProblem('line', where);
}
