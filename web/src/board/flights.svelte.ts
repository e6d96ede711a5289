/** Cards on their way. Until one arrives it does not lie in its place. */

import { SvelteSet } from 'svelte/reactivity';

export const flying = new SvelteSet<string>();
