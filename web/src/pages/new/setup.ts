/** From choices on a page to the setup of a table. */

import { PLAYERS } from '../players';
import { COLOURS_FOR, LEVELS } from '../../protocol';
import type {
  BotName,
  Colour,
  Level,
  OwnDeck,
  Pace,
  Rule,
  TableSetup,
  WatchBy,
} from '../../protocol';

export const COLOURS: readonly Colour[] = ['black', 'white', 'red', 'yellow', 'blue'];

/** The colours available for this number of players. */
export const coloursFor = (players: number): readonly Colour[] => COLOURS_FOR[players] ?? COLOURS;

/** Colours by seat after a seat chose one; a seat that had it gets the old one. */
export function painted(colours: readonly Colour[], seat: number, colour: Colour): Colour[] {
  const old = colours[seat];
  return colours.map((each, at) => (at === seat ? colour : each === colour && old ? old : each));
}

/** The colours of the first seats, with unavailable ones replaced. */
export function coloursOf(colours: readonly Colour[], players: number): Colour[] {
  const allowed = coloursFor(players);
  const wanted = colours.slice(0, players);
  const left = allowed.filter((colour) => !wanted.includes(colour));
  return wanted.map((colour) => (allowed.includes(colour) ? colour : (left.shift() ?? colour)));
}

/** The settings of "Play now", stored in the browser. */
export interface Quick {
  players: number;
  level: Level;
  messengers: boolean;
  colour: Colour;
}

export const QUICK: Quick = {
  players: 3,
  level: 'merchant',
  messengers: false,
  colour: 'black',
};

/** The stored settings, as far as they are still valid. */
export function readQuick(kept: unknown): Quick {
  const found = (typeof kept === 'object' && kept !== null ? kept : {}) as Partial<Quick>;
  return {
    players: PLAYERS.some((count) => count === found.players)
      ? (found.players as number)
      : QUICK.players,
    level: LEVELS.find((level) => level === found.level) ?? QUICK.level,
    messengers: found.messengers === true,
    colour: COLOURS.find((colour) => colour === found.colour) ?? QUICK.colour,
  };
}

export function quickSetup({ players, level, messengers, colour }: Quick): TableSetup {
  return {
    players,
    colours: coloursOf(painted(COLOURS, 0, colour), players),
    seats: ['person', ...Array<Level>(players - 1).fill(level)],
    rules: messengers ? ['messengers'] : [],
    memory_help: true,
    watch: 'link',
  };
}

/** Who may join a table: anyone with its link, everybody, or those at this screen. */
export type Audience = 'friends' | 'everybody' | 'here';

/** What is open to all players: nothing, tokens, or tokens and piles. */
export const OPENNESS = ['closed', 'open-tokens', 'open-ledger'] as const;
type Openness = (typeof OPENNESS)[number];

export interface Choices {
  audience: Audience;
  players: number;
  seats: ('person' | BotName)[]; // always five; those beyond `players` are not used
  names: string[]; // of people at this screen
  colours: Colour[]; // all five, by seat
  messengers: boolean;
  atBuiltCity: boolean;
  open: Openness;
  memoryHelp: boolean | null; // null: as usual, on unless the game is rated
  watch: WatchBy;
  pace: Pace['kind'];
  minutes: number;
  increment: number; // seconds
  days: number;
  rated: boolean;
  standIn: Level;
  deck: OwnDeck | null;
}

export function freshChoices(audience: Audience): Choices {
  return {
    audience,
    players: audience === 'here' ? 2 : 3,
    seats: Array<'person'>(5).fill('person'),
    names: ['', '', '', '', ''],
    colours: [...COLOURS],
    messengers: false,
    atBuiltCity: false,
    open: 'closed',
    memoryHelp: null,
    watch: 'everyone',
    pace: 'none',
    minutes: 20,
    increment: 15,
    days: 2,
    rated: false,
    standIn: 'merchant',
    deck: null,
  };
}

export function setupOf(choices: Choices): TableSetup {
  return {
    players: choices.players,
    seats: choices.seats.slice(0, choices.players),
    colours: coloursOf(choices.colours, choices.players),
    rules: rulesOf(choices),
    deck: choices.deck,
    public: choices.audience === 'everybody' && guests(choices).length > 0,
    watch: choices.watch,
    memory_help: helped(choices),
    pace: paceOf(choices),
    rated: isRated(choices),
    stand_in: choices.standIn,
  };
}

function rulesOf(choices: Choices): Rule[] {
  const rules: Rule[] = [];
  if (choices.messengers) rules.push('messengers');
  if (choices.messengers && choices.atBuiltCity) rules.push('messenger-at-built-city');
  if (choices.open !== 'closed') rules.push(choices.open);
  return rules;
}

function paceOf({ audience, pace, minutes, increment, days }: Choices): Pace {
  if (audience === 'here' || pace === 'none') return { kind: 'none' };
  if (pace === 'correspondence') return { kind: 'correspondence', days };
  return { kind: 'realtime', base: minutes * 60, increment };
}

/** Seats for people other than the host, who has the first one. */
export function guests({ players, seats }: Choices): number[] {
  return seats.flatMap((who, seat) =>
    seat > 0 && seat < players && who === 'person' ? [seat] : [],
  );
}

/** Rated games need two people or more, each with their own seat. */
export function mayBeRated(choices: Choices): boolean {
  return choices.audience !== 'here' && guests(choices).length > 0;
}

function isRated(choices: Choices): boolean {
  return mayBeRated(choices) && choices.rated;
}

/** Whether players see the cards they could remember. */
export function helped(choices: Choices): boolean {
  return choices.memoryHelp ?? !isRated(choices);
}
