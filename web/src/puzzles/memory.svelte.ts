/** My progress with puzzles, kept in the browser. */

import { request } from '../lib/api';
import { keep, kept } from '../lib/settings.svelte';
import type { PuzzleProgress } from '../protocol';
import { progressOf, readMemory, tell, type Attempt, type Memory } from './attempts';

const NAME = 'puzzles';

let memory = $state.raw<Memory>(readMemory(kept(NAME)));
let telling: Promise<void> | null = null;
let heard = false;

const PATIENCE = 1500; // ms to wait for what the server knows

export const mine = {
  get progress(): PuzzleProgress {
    return progressOf(memory);
  },
  get waiting(): number {
    return memory.waiting.length;
  },
};

export function note(attempt: Attempt): void {
  remember({ ...memory, waiting: [...memory.waiting, attempt] });
  void tellAll();
}

/** Report to the server what it does not know yet, or ask what it knows. */
export function tellAll(): Promise<void> {
  telling ??= meet().finally(() => (telling = null));
  return telling;
}

/** Learn what was done on other devices before the first puzzle is chosen; offline, go on without. */
export async function hear(): Promise<void> {
  if (heard) return;
  heard = true;
  await Promise.race([tellAll(), new Promise((then) => setTimeout(then, PATIENCE))]);
}

async function meet(): Promise<void> {
  if (!memory.waiting.length) {
    const told = await request<PuzzleProgress>('GET', '/api/my/puzzles').catch(() => null);
    if (told) remember({ ...memory, told });
    return;
  }
  const before = memory;
  const { told, waiting } = await tell(before, (attempts) =>
    request<PuzzleProgress>('POST', '/api/my/puzzles', { attempts }),
  );
  const since = memory.waiting.slice(before.waiting.length); // noted meanwhile
  remember({ told, waiting: [...waiting, ...since] });
}

function remember(next: Memory): void {
  memory = next;
  keep(NAME, next);
}
