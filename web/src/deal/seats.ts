/** Creates tables and takes seats. The server's commitment is noted first. */

import { command, createTable as create, newId } from '../lib/api';
import type { Colour, Join, TableMessage, TableSetup } from '../protocol';
import { contributionFor, noteCommitment } from './notes';

/** Create a table and take a seat; the contribution follows when the page shows the table. */
export async function createTable(setup: TableSetup, seat: number): Promise<TableMessage> {
  const message = await create(setup, seat);
  noteCommitment(message);
  return message;
}

/** The command that takes a seat, with a contribution to the deal. */
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

/** Take a seat for somebody else at this screen. */
export async function seatGuest(
  message: TableMessage,
  seat: number,
  name: string | null,
): Promise<void> {
  await command(message.table, { ...joining(message, seat, { name }), id: newId() });
}
