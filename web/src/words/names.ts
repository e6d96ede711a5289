/** Names for bots: the server knows them by their level only.
 *
 * Each level has a company of its own, and they sit down in the same order. So a bot is called the
 * same on every screen, in the next game against the same rivals, and where a record is replayed.
 */

import { called, calledInRecord } from '../lib/names';
import type { Level, SeatInfo } from '../protocol';

const COMPANY: Record<Level, readonly string[]> = {
  apprentice: ['Lapo', 'Nannina', 'Vieri', 'Oretta', 'Matteo'],
  merchant: ['Bianca', 'Cosimo', 'Dianora', 'Galeotto', 'Ginevra'],
  banker: ['Piero', 'Lucrezia', 'Bartolo', 'Fiammetta', 'Jacopo'],
  doge: ['Simonetta', 'Niccolò', 'Orsola', 'Ettore', 'Caterina'],
};
const ALL = Object.values(COMPANY).flat();

/** The seats of a table with a name for everybody: for bots never the same one twice. */
export function named<T extends Pick<SeatInfo, 'state' | 'name' | 'alias' | 'level'>>(
  seats: readonly T[],
): T[] {
  const taken = new Set(seats.map((seat) => seat.name));
  return seats.map((seat) => {
    if (seat.state !== 'bot' || seat.name) return { ...seat, name: called(seat) };
    const company = COMPANY[seat.level ?? 'merchant'];
    const name = [...company, ...ALL].find((each) => !taken.has(each)) ?? '';
    taken.add(name);
    return { ...seat, name };
  });
}

/** How good a bot is, where a record names it as the server does: "Bot (merchant)". */
export function botLevel(name: string): Level | null {
  const level = /^Bot \((\w+)\)$/.exec(name)?.[1];
  return level && Object.hasOwn(COMPANY, level) ? (level as Level) : null;
}

/** The names that a record tells, with those that the page gave to bots; '' where there is none. */
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
