/** Small phrases that several pages share. */

import { list, t } from '../lib/i18n.svelte';
import { called } from '../lib/names';
import { setupFacts } from '../words/setup';
import type { GameSeat, Level, TableLine, TableSeatLine } from '../protocol';

export const levelName = (level: Level) => t(`level.${level}`);
export const levelAbout = (level: Level) => t(`level.${level}.about`);

/** "3 players · Messengers · rated". */
export const aboutTable = (table: TableLine) => setupFacts(table).join(' · ');

/** "with Anna and 2 × Doge (bots)"; nothing if nobody else is there. */
export function company(seats: readonly (TableSeatLine | GameSeat)[]): string {
  const mine = seats.filter((seat) => seat.you);
  const others = mine.length > 1 ? seats : seats.filter((seat) => !seat.you); // hot seat
  const names = others.filter((seat) => seat.name && !seat.level).map(called);
  const levels = others.flatMap((seat) => seat.level ?? []);
  const bots = [...new Set(levels)].map((level) => {
    const count = levels.filter((each) => each === level).length;
    return t('list.bot', { level: levelName(level), count });
  });
  const all = [...names, ...bots];
  return all.length ? t('list.against', { names: list(all) }) : '';
}
