/** Games to look at, from a table or a record; and a record on its way to another screen. */

import type { Replay } from '../protocol';
import { ApiProblem, request } from './api';

export const LONGEST = 60_000; // characters of a record
const KEY = 'patrizier.record';

export function ofTable(table: string, key: string): Promise<Replay> {
  return request<Replay>('GET', withKey(`/api/tables/${table}/replay`, key));
}

export async function ofRecord(record: string): Promise<Replay> {
  if (record.length > LONGEST) throw new ApiProblem(0, 'too-long', '');
  return request<Replay>('POST', '/api/records/replay', { record });
}

/** The record of a finished table. */
export async function recordOf(table: string, key: string): Promise<string> {
  const answer = await fetch(withKey(`/api/tables/${table}/record`, key)).catch(() => null);
  if (!answer) throw new ApiProblem(0, 'offline', '');
  if (!answer.ok) throw new ApiProblem(answer.status, 'error', answer.statusText);
  return answer.text();
}

/** An address with the key of a watcher, if there is one. */
export function withKey(address: string, key: string): string {
  return key ? `${address}?key=${encodeURIComponent(key)}` : address;
}

/** The address of a what-if board: a position of a table's game, or else of the record handed over, and a line after it. */
export function whatIf(
  table: string,
  key: string,
  at: number,
  moves: readonly string[] = [],
): string {
  const query = new URLSearchParams({ ...(table ? { table } : {}), ...(key ? { key } : {}) });
  query.set('at', String(at));
  if (moves.length) query.set('line', moves.join(' '));
  return `/what-if?${query}`;
}

/** Hand a record over to another screen; it stays as long as the visit. */
export function handOver(record: string): void {
  try {
    sessionStorage.setItem(KEY, record);
  } catch {
    // Storage is not available.
  }
}

export function handed(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}
