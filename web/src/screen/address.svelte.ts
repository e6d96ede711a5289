// Keeps the shown turn in the URL, so that it can be linked to.

import { untrack } from 'svelte';

const PATIENCE = 300; // ms at a turn before the URL follows

/** Keep `?turn=` at the turn shown; 0 needs none, and null leaves it for now. */
export function tellTurn(shown: () => number | null): void {
  $effect(() => {
    const turn = shown();
    if (turn === null) return;
    const timer = setTimeout(() => {
      const query = new URLSearchParams(untrack(() => location.search));
      if (turn) query.set('turn', String(turn));
      else query.delete('turn');
      const text = query.toString();
      history.replaceState(history.state, '', `${location.pathname}${text ? `?${text}` : ''}`);
    }, PATIENCE);
    return () => clearTimeout(timer);
  });
}
