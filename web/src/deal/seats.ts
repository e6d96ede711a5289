/** Making tables and sitting down at them. What the server has committed to is noted first. */

import { command, createTable as create, newId } from '../lib/api';
import type { Colour, Join, TableMessage, TableSetup } from '../protocol';
import { contributionFor, noteCommitment } from './notes';

/** Make a table and take a seat; the number for its deal follows when the page shows it. */
export async function createTable(setup: TableSetup, seat: number): Promise<TableMessage> {
  const message = await create(setup, seat);
  noteCommitment(message);
  return message;
}

/** What to send to sit down, with a number for the deal. */
export function joining(
  message: TableMessage,
  seat: number,
  guest: { name: string | null } | null = null, // somebody else at this screen
  colour: Colour | null = null, // instead of the seat's
): Omit<Join, 'id'> {
  const contribution = contributionFor(message, seat);
  const [hot_seat, name] = [guest !== null, guest?.name ?? null];
  return { kind: 'join', seat, contribution, hot_seat, name, colour };
}

/** Sit somebody else at this screen down. */
export async function seatGuest(
  message: TableMessage,
  seat: number,
  name: string | null,
): Promise<void> {
  await command(message.table, { ...joining(message, seat, { name }), id: newId() });
}
