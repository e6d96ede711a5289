/** Names for bots: the server knows them by their level only. */

import type { SeatInfo } from '../protocol';

const NAMES = [
  'Bianca', 'Cosimo', 'Dianora', 'Ettore', 'Fiammetta', 'Galeotto', 'Ginevra', 'Lapo',
  'Lucrezia', 'Matteo', 'Nannina', 'Niccolò', 'Oretta', 'Piero', 'Simonetta', 'Vieri',
]; // prettier-ignore

/** The seats of a table with a name for everybody, the same on every screen and never twice. */
export function named<T extends Pick<SeatInfo, 'seat' | 'state' | 'name'>>(
  table: string,
  seats: readonly T[],
): T[] {
  const taken = new Set(seats.map((seat) => seat.name));
  const free = NAMES.filter((name) => !taken.has(name));
  const first = [...table].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 7);
  return seats.map((seat) =>
    seat.state === 'bot' && !seat.name
      ? { ...seat, name: free[(first + seat.seat) % free.length] ?? '' }
      : seat,
  );
}
