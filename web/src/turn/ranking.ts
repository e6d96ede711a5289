/** The best bot's candidates, ranked by their displayed numbers. */

import type { Hint } from '../protocol';

interface Advice {
  candidates: Hint[]; // the best first
  sharesTell: boolean; // displayed shares differ; otherwise points decide
}

/** Shares are displayed as whole per cents; ties are broken by points. */
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
