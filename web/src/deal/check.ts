/** Verifies that the deal is the one the server had committed to, from the record.
 *
 * docs/deal.md specifies the algorithm. It is implemented here independently of the server, which
 * need not be trusted; so this is the one place in the page that knows how cards are dealt. The
 * browser's own hash functions are not available on plain http, so they come from a package.
 */

import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { DealNote } from './notes';

export type Tags = Readonly<Record<string, string>>;

interface Derived {
  deal: string; // as in the tag Deal
  start: number; // seat, from 0
}

type About =
  | 'record' // has all tags
  | 'table' // is of this table
  | 'commitment' // is to this secret
  | 'seen' // is the one seen before the game
  | 'contributions' // exist
  | 'mine' // include one of mine
  | 'deal' // follows from them
  | 'start'; // so does the first player

export interface Check {
  about: About;
  holds: boolean | null; // null: this browser cannot know
  seats: number[]; // of contributions: who made one (from 1); of start: who begins
  value: string; // the hash, deal or tag concerned; of start: who began the game before
}

/** The verdict of all checks. Open: nothing is wrong, but nothing is proven. */
export type Verdict = 'holds' | 'fails' | 'open';

const HAND = 3;
const RULES = ['messengers', 'messenger-at-built-city', 'open-ledger', 'open-tokens'];
const HASH = /^[0-9a-f]{64}$/;
const CLASSIC =
  'BO1=2 BO2=2 BO3=? BO4=L* BO5=B* BO6=K BO7=LL FE1=2 FE2=> FE3=L* FE4=B* FI1=2 FI2=2 FI3=> FI4=B* ' +
  'FI5=K* FI6=L FI7=BB LU1=2 LU2=2 LU3=> LU4=B* LU5=LL MI1=2 MI2=2 MI3=? MI4=L* MI5=KK PA1=2 PA2=? ' +
  'PA3=B* PA4=K* PI1=2 PI2=2 PI3=> PI4=L* PI5=B* PI6=K PI7=LL RO1=2 RO2=2 RO3=? RO4=K* RO5=L* RO6=B ' +
  'RO7=KK SI1=2 SI2=2 SI3=? SI4=K* SI5=BB VE1=2 VE2=> VE3=K* VE4=L*';

/** The tags of the first game of a record. */
export function readTags(record: string): Tags {
  const tags: Record<string, string> = {};
  for (const line of record.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const match = /^\[([A-Za-z][\w-]*) "((?:[^"\\]|\\.)*)"\]\s*$/.exec(line);
    if (!match) {
      if (Object.keys(tags).length) break; // the tags come first
      continue;
    }
    const [, name = '', value = ''] = match;
    if (name in tags) break;
    tags[name] = value.replace(/\\(.)/g, '$1');
  }
  return tags;
}

export function tableMark(table: string): string {
  return bytesToHex(sha256(utf8ToBytes(`patrizier table 1\n${table}`)));
}

/** The options that a commitment covers: all that affects deal or rules. */
export function optionsText(tags: Tags): string {
  const wanted = (tags.Rules ?? '').split(',').filter(Boolean);
  const rules = [...wanted].sort((one, two) => RULES.indexOf(one) - RULES.indexOf(two));
  const before = tags.NotFirst ? `;${tags.NotFirst}` : '';
  return `${tags.Players ?? ''};${rules.join(',')};${deckOf(tags).join(' ')}${before}`;
}

export function commitmentOf(secret: string, mark: string, options: string): string {
  const begin = utf8ToBytes('patrizier commitment 1\n');
  return bytesToHex(
    sha256(concatBytes(begin, hexToBytes(secret), hexToBytes(mark), utf8ToBytes(options))),
  );
}

/** The cards in play with what they show ("BO4=L*"), ascending. */
function deckOf(tags: Tags): string[] {
  return (tags.Cards ?? CLASSIC).split(' ').sort();
}

/** The deal that follows from secret, commitment and contributions. */
export function derive(
  secret: string,
  commitment: string,
  tags: Tags,
  contributions: readonly (string | null)[],
): Derived {
  const players = contributions.length;
  const given = contributions.map((each) =>
    each === null ? new Uint8Array(33) : concatBytes(Uint8Array.of(1), hexToBytes(each)),
  );
  const begin = utf8ToBytes('patrizier deal 1\n');
  const message = concatBytes(begin, hexToBytes(commitment), ...given);
  const below = numbers(hmac(sha256, hexToBytes(secret), message));

  const cards = deckOf(tags)
    .filter((card) => players === 5 || !card.startsWith('PI'))
    .map((card) => ({ name: card.slice(0, 3), star: card.includes('*') }));
  const names = (star: boolean) =>
    cards.filter((card) => card.star === star).map((card) => card.name);
  const stars = shuffled(names(true), below);
  const dealt = HAND * players;
  const rest = shuffled([...stars.slice(dealt), ...names(false)], below);
  const hands = contributions.map((_, seat) => stars.slice(HAND * seat, HAND * (seat + 1)));
  const shown = players === 5 ? 10 : 9;
  const deal = [
    hands.map((hand) => hand.join(' ')).join('/'),
    rest.slice(0, shown).join(' '),
    rest.slice(shown).join(' '),
  ].join('|');
  // In a rematch somebody else begins than in the game before.
  const starters = contributions
    .map((_, seat) => seat)
    .filter((seat) => String(seat + 1) !== tags.NotFirst);
  return { deal, start: starters[below(starters.length)] ?? 0 };
}

/** Uniform random numbers below n. */
function numbers(seed: Uint8Array): (n: number) => number {
  let block = new DataView(new ArrayBuffer(0));
  let at = 0;
  let blocks = 0;
  const word = () => {
    if (at >= block.byteLength) {
      const counter = new DataView(new ArrayBuffer(8));
      counter.setBigUint64(0, BigInt(blocks));
      const bytes = hmac(sha256, seed, new Uint8Array(counter.buffer));
      block = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      blocks += 1;
      at = 0;
    }
    at += 4;
    return block.getUint32(at - 4);
  };
  return (n) => {
    const limit = 2 ** 32 - (2 ** 32 % n);
    for (;;) {
      const drawn = word();
      if (drawn < limit) return drawn % n;
    }
  };
}

function shuffled(items: readonly string[], below: (n: number) => number): string[] {
  const list = [...items];
  for (let last = list.length - 1; last > 0; last -= 1) {
    const other = below(last + 1);
    [list[last], list[other]] = [list[other] as string, list[last] as string];
  }
  return list;
}

/** All checks, in chronological order. */
export function checkDeal(record: string, table: string, note: DealNote | null = null): Check[] {
  const tags = readTags(record);
  const lacking = lackingIn(tags);
  if (lacking) return [{ about: 'record', holds: false, seats: [], value: lacking }];

  const { Table: mark = '', Commitment: commitment = '', Secret: secret = '' } = tags;
  const contributions = contributionsOf(tags);
  const seats = contributions.flatMap((each, seat) => (each === null ? [] : [seat + 1]));
  const derived = derive(secret, commitment, tags, contributions);
  const checks: Check[] = [];
  const check = (about: About, holds: boolean | null, value = '', who: number[] = []) =>
    checks.push({ about, holds, value, seats: who });

  check('table', tableMark(table) === mark, mark);
  check('seen', note && note.commitment === commitment, note?.commitment ?? '');
  check('commitment', commitmentOf(secret, mark, optionsText(tags)) === commitment, commitment);
  check('contributions', seats.length > 0, '', seats);
  // One contribution of mine is enough: nobody could know it when the server committed itself.
  const mine = Object.entries(note?.numbers ?? {});
  const used = mine.some(([seat, number]) => contributions[Number(seat)] === number);
  check('mine', mine.length ? used : null);
  check('deal', derived.deal === tags.Deal, derived.deal);
  const starts = derived.start + 1 === Number(tags.Start);
  check('start', starts, tags.NotFirst ?? '', [derived.start + 1]);
  return checks;
}

/** Whether the deal was the committed one; open if this browser's notes do not suffice. */
export function verdictOf(checks: readonly Check[]): Verdict {
  if (checks.some((check) => check.holds === false)) return 'fails';
  return checks.some((check) => check.holds === null) ? 'open' : 'holds';
}

/** The missing or unreadable tag, if any. */
function lackingIn(tags: Tags): string | null {
  if (!/^[2-5]$/.test(tags.Players ?? '')) return 'Players';
  if (!tags.Cards && (tags.Deck ?? 'classic') !== 'classic') return 'Cards';
  for (const tag of ['Table', 'Commitment', 'Secret']) if (!HASH.test(tags[tag] ?? '')) return tag;
  const words = (tags.Contributions ?? '').split('/');
  const readable = words.every((word) => word === '-' || HASH.test(word));
  if (!readable || words.length !== Number(tags.Players)) return 'Contributions';
  for (const tag of ['Deal', 'Start']) if (!tags[tag]) return tag;
  const { Players: players = '', NotFirst: before } = tags;
  if (before !== undefined && !(/^[1-5]$/.test(before) && before <= players)) return 'NotFirst';
  return null;
}

function contributionsOf(tags: Tags): (string | null)[] {
  return (tags.Contributions ?? '').split('/').map((word) => (word === '-' ? null : word));
}
