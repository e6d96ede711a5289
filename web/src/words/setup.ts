/** What is played at a table: rules, clock, rated or not. */

import { t } from '../lib/i18n.svelte';
import type { Pace, Rule, TableSetup } from '../protocol';

export const ruleName = (rule: Rule) => t(`rule.${rule}`);

export function paceText(pace: Pace): string {
  if (pace.kind === 'none') return t('pace.none');
  if (pace.kind === 'correspondence') return t('pace.correspondence', { days: pace.days });
  const minutes = Math.round((pace.base / 60) * 10) / 10;
  return t('pace.realtime', { minutes, increment: pace.increment ?? 0 });
}

/** "3 players", "Messengers", "20 min + 10 s", "rated". */
export function setupFacts({
  players = 4,
  rules = [],
  pace,
  rated,
}: Pick<TableSetup, 'players' | 'rules' | 'pace' | 'rated'>): string[] {
  return [
    t('count.players', { count: players }),
    ...rules.map(ruleName),
    ...(pace && pace.kind !== 'none' ? [paceText(pace)] : []),
    ...(rated ? [t('list.rated')] : []),
  ];
}
