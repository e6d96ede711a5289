/** At one screen, between two players: what may lie open while the device changes hands. */

import type { SeatView, View } from '../protocol';

/** The table as any onlooker sees it: of every seat, what another one is shown. */
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
