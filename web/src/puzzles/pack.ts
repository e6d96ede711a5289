/** The puzzles: a list, and chunks of positions, which the service worker keeps for days offline. */

import { request } from '../lib/api';
import type { PuzzleChunk, PuzzleLine, PuzzleList, PuzzlePosition } from '../protocol';

let list: Promise<PuzzleList> | null = null;
const chunks = new Map<number, Promise<PuzzleChunk>>();

export function puzzles(): Promise<PuzzleList> {
  list ??= request<PuzzleList>('GET', '/api/puzzles').catch((error: unknown) => {
    list = null;
    throw error;
  });
  return list;
}

/** A puzzle with everything needed to try it. */
export async function position({ id, chunk }: PuzzleLine): Promise<PuzzlePosition> {
  const { puzzles: some } = await load(chunk);
  const found = some.find((each) => each.id === id);
  if (!found) throw new Error(`puzzle ${id} has moved`);
  return found;
}

async function load(number: number): Promise<PuzzleChunk> {
  const { version } = await puzzles();
  const known = chunks.get(number);
  if (known) return known;
  const path = `/api/puzzles/chunks/${number}?version=${version}`;
  const asked = request<PuzzleChunk>('GET', path);
  chunks.set(number, asked);
  asked.catch(() => chunks.delete(number));
  return asked;
}

const FIRST = 3000; // ms: what the page itself needs comes before

/** Load all chunks when idle, one after the other, for use offline. */
export async function loadAll(): Promise<void> {
  const saving = (navigator as { connection?: { saveData?: boolean } }).connection?.saveData;
  if (saving) return;
  const { puzzles: all } = await puzzles();
  await new Promise((then) => setTimeout(then, FIRST));
  for (const number of new Set(all.map((each) => each.chunk))) {
    await rest();
    await load(number);
  }
}

/** Wait until the browser is idle, for a second at most. */
function rest(): Promise<void> {
  return new Promise((then) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => then(), { timeout: 1000 });
    else setTimeout(then, 100);
  });
}
