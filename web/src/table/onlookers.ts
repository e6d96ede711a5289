/** Hot seat: the view that is safe to show while the device is handed over. */

import type { SeatView, View } from '../protocol';

/** The table as an onlooker sees it: of every seat only what its opponents see. */
export function publicView(views: readonly Pick<SeatView, 'seat' | 'view'>[]): View | null {
  const [first, second] = views;
  if (!first || !second) return null;
  const other = (seat: number) => (first.seat === seat ? second : first).view;
  return {
    ...first.view,
    viewer: null,
    legal: [],
    unseen: [],
    sums: null,
    seats: first.view.seats.map((each) => other(each.seat).seats[each.seat] ?? each),
    table: first.view.table.map((each) => other(each.seat).table[each.seat] ?? each),
  };
}
