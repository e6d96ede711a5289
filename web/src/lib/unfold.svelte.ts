/** Drawing in parts: the browser can show them, and answer whoever clicks, in between. */

import { onMount } from 'svelte';

/** When the browser has nothing better to do, but soon. */
function later(then: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(then, { timeout: 50 });
  else setTimeout(then);
}

/** A number that grows from 0 to `all`, one at a time, once the component is there. */
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
