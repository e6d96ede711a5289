/** Small phrases that several pages share. */

import { list, t } from '../lib/i18n.svelte';
import { called } from '../lib/names';
import type { GameSeat, Level, Pace, Rule, TableLine, TableSeatLine } from '../protocol';

export const levelName = (level: Level) => t(`level.${level}`);
export const levelAbout = (level: Level) => t(`level.${level}.about`);
export const ruleName = (rule: Rule) => t(`rule.${rule}`);

export function paceText(pace: Pace): string {
  if (pace.kind === 'none') return t('pace.none');
  if (pace.kind === 'correspondence') return t('pace.correspondence', { days: pace.days });
  const minutes = Math.round((pace.base / 60) * 10) / 10;
  return t('pace.realtime', { minutes, increment: pace.increment ?? 0 });
}

/** "3 players · Messengers · rated". */
export function aboutTable(table: TableLine): string {
  const parts = [t('count.players', { count: table.players }), ...table.rules.map(ruleName)];
  if (table.pace.kind !== 'none') parts.push(paceText(table.pace));
  if (table.rated) parts.push(t('list.rated'));
  return parts.join(' · ');
}

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
