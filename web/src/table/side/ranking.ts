/** The best bot's candidates, in the order in which their numbers put them. */

import type { Hint } from '../../protocol';

export interface Advice {
  candidates: Hint[]; // the best first
  sharesTell: boolean; // they differ as far as they are shown; otherwise points decide
}

/** Shares are shown as whole per cents: where those are equal, points decide. */
export function ranked(candidates: readonly Hint[], seat: number): Advice {
  const share = (hint: Hint) => Math.round(100 * (hint.share[seat] ?? 0));
  const points = (hint: Hint) => hint.points[seat] ?? 0;
  return {
    candidates: [...candidates].sort(
      (one, two) => share(two) - share(one) || points(two) - points(one),
    ),
    sharesTell: new Set(candidates.map(share)).size > 1,
  };
}
