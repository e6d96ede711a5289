/** Names for bots: the server only knows their level.
 *
 * Each level has its own list of names, assigned in order. So a bot has the same name on every
 * screen, in a rematch, and in replays. A guest bot, from elsewhere, has its own name.
 */

import { called, calledInRecord } from '../lib/names';
import { t } from '../lib/i18n.svelte';
import type { BotName, GuestBotName, Level, Replay, SeatInfo, ViewColour } from '../protocol';

const COMPANY: Record<Level, readonly string[]> = {
  apprentice: ['Lapo', 'Nannina', 'Vieri', 'Oretta', 'Matteo'],
  merchant: ['Bianca', 'Cosimo', 'Dianora', 'Galeotto', 'Ginevra'],
  banker: ['Piero', 'Lucrezia', 'Bartolo', 'Fiammetta', 'Jacopo'],
  senator: ['Zanobi', 'Isotta', 'Domenico', 'Marietta', 'Vettore'],
  doge: ['Simonetta', 'Niccolò', 'Orsola', 'Ettore', 'Caterina'],
};
const ALL = Object.values(COMPANY).flat();
const GUEST = 'guest:';
const MOST_SEATS = 5;

export const isGuestBot = (level: BotName): level is GuestBotName => level.startsWith(GUEST);

/** A level as people read it; a guest bot's own name. */
export const levelName = (level: BotName) =>
  isGuestBot(level) ? level.slice(GUEST.length) : t(`level.${level}`);

/** What a bot is, beside its name: its level, or a guest. */
export const botKind = (level: BotName) => t(isGuestBot(level) ? 'level.guest' : `level.${level}`);

/** Names for the bots of a level, in order. */
function company(level: BotName): string[] {
  if (!isGuestBot(level)) return [...COMPANY[level], ...ALL];
  const own = levelName(level);
  // one more than seats: a person may have the same name
  return [own, ...Array.from({ length: MOST_SEATS }, (_, index) => `${own} ${index + 2}`)];
}

/** The seats of a table, all with names; no two bots share one. */
export function named<T extends Pick<SeatInfo, 'state' | 'name' | 'alias' | 'level'>>(
  seats: readonly T[],
): T[] {
  const taken = new Set(seats.map((seat) => seat.name));
  return seats.map((seat) => {
    if (seat.state !== 'bot' || seat.name) return { ...seat, name: called(seat) };
    const name = company(seat.level ?? 'merchant').find((each) => !taken.has(each)) ?? '';
    taken.add(name);
    return { ...seat, name };
  });
}

/** The bot in a name as the server writes it into records: "Bot (merchant)". */
export function botLevel(name: string): BotName | null {
  const level = /^Bot \(([\w-]+)\)$/.exec(name)?.[1];
  if (!level) return null;
  return Object.hasOwn(COMPANY, level) ? (level as Level) : `${GUEST}${level}`;
}

/** The names in a record, with the page's names for bots; '' where there is none. */
export function namesInRecord(names: readonly string[]): string[] {
  const seats = names.map((name) => {
    const level = botLevel(name);
    return {
      state: level ? ('bot' as const) : ('person' as const),
      name: level ? '' : calledInRecord(name),
      alias: null,
      level,
    };
  });
  return named(seats).map((seat) => seat.name);
}

/** Everybody's name in a replay; without one, their colour. */
export function namesIn(replay: Pick<Replay, 'names' | 'colours'>): string[] {
  const names = namesInRecord(replay.names);
  return replay.colours.map((colour, seat) => names[seat] || t(`colour.${colour as ViewColour}`));
}
