/** Draws in parts, so that the browser can paint and handle input in between. */

import { onMount } from 'svelte';

/** Soon, when the browser is idle. */
function later(then: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(then, { timeout: 50 });
  else setTimeout(then);
}

/** A number that counts from 0 to `all` once the component is mounted. */
export function unfold(all: number): { readonly count: number } {
  let count = $state(0);
  onMount(() => {
    let here = true;
    const grow = () => {
      if (!here) return;
      count += 1;
      if (count < all) later(grow);
    };
    later(grow);
    return () => (here = false);
  });
  return {
    get count() {
      return count;
    },
  };
}
