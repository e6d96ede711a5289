/** Links: everything in the fragment if that is short, else stored on the server. */

import { request } from '../lib/api';
import type { KeptLines } from '../protocol';

export const SHORT = 4000; // letters that a link may have

/** The address that opens a packed study. */
export async function addressOf(packed: string): Promise<string> {
  if (packed.length <= SHORT) return `${location.origin}/what-if#${packed}`;
  const { id } = await request<KeptLines>('POST', '/api/lines/kept', { study: packed });
  return `${location.origin}/what-if/${id}`;
}

/** What was stored under an id. */
export async function opened(id: string): Promise<string> {
  return (await request<KeptLines>('GET', `/api/lines/kept/${id}`)).study;
}
