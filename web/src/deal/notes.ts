/** This browser's notes from before a game: without them, a server could change its commitment.
 *
 * A contribution is only made together with a note of the commitment, which is stored before the
 * contribution is sent. The first commitment seen at a table is kept.
 */

import { randomHex } from '../lib/api';
import { keep, kept } from '../lib/settings.svelte';
import type { TableMessage } from '../protocol';

export interface DealNote {
  table: string;
  commitment: string; // the first one seen
  numbers: Record<string, string>; // contributions, by seat
}

type Seen = Pick<TableMessage, 'table'> & { deal: Pick<TableMessage['deal'], 'commitment'> };

const MOST = 60; // tables
const KEY = 'deals';

/** The note of a table; null if there is none. */
export function noteOf(table: string): DealNote | null {
  return all().find((note) => note.table === table) ?? null;
}

/** Note the server's commitment, before anybody contributes. */
export function noteCommitment({ table, deal }: Seen): DealNote {
  const known = noteOf(table);
  if (known) return known;
  const note = { table, commitment: deal.commitment, numbers: {} };
  write(note);
  return note;
}

/** My contribution for a seat; always the same one, so that nobody can choose among several. */
export function contributionFor(seen: Seen, seat: number): string {
  const note = noteCommitment(seen);
  const given = note.numbers[seat];
  if (given) return given;
  const number = randomHex(32);
  write({ ...note, numbers: { ...note.numbers, [seat]: number } });
  return number;
}

/** Drop the contributions of seats that were left. */
export function forgetNumbers(table: string): void {
  const note = noteOf(table);
  if (note) write({ ...note, numbers: {} });
}

function all(): DealNote[] {
  const notes = kept<unknown>(KEY);
  return Array.isArray(notes) ? notes.filter(isNote) : [];
}

function isNote(note: Partial<DealNote> | null): note is DealNote {
  return typeof note?.commitment === 'string' && typeof note.numbers === 'object';
}

function write(note: DealNote): void {
  const others = all().filter((each) => each.table !== note.table);
  keep(KEY, [...others, note].slice(-MOST));
}
