/** Another game of the same kind, where only bots sit with me. */

import type { TableMessage, TableSetup } from '../protocol';

/** The same rules and the same rivals on their seats, whoever took one of them when. */
export function setupAgain(message: Pick<TableMessage, 'setup' | 'seats'>): TableSetup {
  return {
    ...message.setup,
    seats: message.seats.map((seat) =>
      seat.state === 'bot' ? (seat.level ?? 'merchant') : 'person',
    ),
  };
}
