/** What this browser saw and gave before a game: without that, a server could change its mind.
 *
 * A number for the deal is only to be had together with a note of the commitment, which is written
 * down before the number leaves the browser. The first commitment seen at a table stays.
 */

import { randomHex } from '../lib/api';
import { keep, kept } from '../lib/settings.svelte';
import type { TableMessage } from '../protocol';

export interface DealNote {
  table: string;
  commitment: string; // the first that was seen
  numbers: Record<string, string>; // what was given, by seat
}

type Seen = Pick<TableMessage, 'table'> & { deal: Pick<TableMessage['deal'], 'commitment'> };

const MOST = 60; // tables
const KEY = 'deals';

/** What was noted of a table; null if nothing was. */
export function noteOf(table: string): DealNote | null {
  return all().find((note) => note.table === table) ?? null;
}

/** Note what the server has committed to, before anybody contributes. */
export function noteCommitment({ table, deal }: Seen): DealNote {
  const known = noteOf(table);
  if (known) return known;
  const note = { table, commitment: deal.commitment, numbers: {} };
  write(note);
  return note;
}

/** My random number for a seat. Asked again it is the same: nobody gets to choose among several. */
export function contributionFor(seen: Seen, seat: number): string {
  const note = noteCommitment(seen);
  const given = note.numbers[seat];
  if (given) return given;
  const number = randomHex(32);
  write({ ...note, numbers: { ...note.numbers, [seat]: number } });
  return number;
}

/** Who stands up takes their numbers along. */
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
