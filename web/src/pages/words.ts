/** Small phrases that several pages share. */

import { list, t } from '../lib/i18n.svelte';
import { called } from '../lib/names';
import { levelName } from '../words/names';
import { setupFacts } from '../words/setup';
import type { GameSeat, Level, TableLine, TableSeatLine } from '../protocol';

export const levelAbout = (level: Level) => t(`level.${level}.about`);

/** "3 players · Messengers · rated". */
export const aboutTable = (table: TableLine) => setupFacts(table).join(' · ');

/** "With Anna and 2 × Doge (bots)"; nothing if nobody else is there. */
export function company(seats: readonly (TableSeatLine | GameSeat)[]): string {
  const names = others(seats);
  return names && t('list.against', { names });
}

/** "Anna and 2 × Doge (bots)": everybody but me. */
export function others(seats: readonly (TableSeatLine | GameSeat)[]): string {
  const mine = seats.filter((seat) => seat.you);
  const shown = mine.length > 1 ? seats : seats.filter((seat) => !seat.you); // hot seat
  const names = shown.filter((seat) => seat.name && !seat.level).map(called);
  const levels = shown.flatMap((seat) => seat.level ?? []);
  const bots = [...new Set(levels)].map((level) => {
    const count = levels.filter((each) => each === level).length;
    return t('list.bot', { level: levelName(level), count });
  });
  return list([...names, ...bots]);
}
