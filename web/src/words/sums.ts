/** A player's own points so far, and how many portraits the next sets need. */

import { t } from '../lib/i18n.svelte';
import type { ViewPortraits } from '../protocol';
import { portraitsWords } from './outlook';

/** "4 Bankers: 6, 2 more for 6". */
export function setWords({ noble, heads, points, missing }: ViewPortraits): string {
  const values = { portraits: portraitsWords(noble, heads), points, missing };
  return t(points ? 'sums.set-missing' : 'sums.missing', values);
}
