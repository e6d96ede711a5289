/** Drawing in parts: the browser can show them, and answer whoever clicks, in between. */

import { onMount } from 'svelte';

/** A number that grows from 0 to `all`, one at a time, once the component is there. */
export function unfold(all: number): { readonly count: number } {
  let count = $state(0);
  onMount(() => {
    const grow = () => {
      count += 1;
      if (count < all) timer = setTimeout(grow);
    };
    let timer = setTimeout(grow);
    return () => clearTimeout(timer);
  });
  return {
    get count() {
      return count;
    },
  };
}
