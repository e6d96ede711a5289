/** What kind of screen this is. */

import { MediaQuery } from 'svelte/reactivity';

/** Too small for a column beside the board: a phone, or a tablet in portrait. */
export const narrow = new MediaQuery('(max-width: 900px), (max-height: 520px)');

/** A phone in landscape: the desk lies beside the board. */
export const across = new MediaQuery('(max-height: 520px) and (min-aspect-ratio: 5/4)');

/** Whoever has no mouse has no keyboard either, mostly. */
export const touch = new MediaQuery('(hover: none)');

/** A phone in portrait: words about the turn stand in the middle of the board. */
export const phone = new MediaQuery('(max-width: 599px) and (max-aspect-ratio: 5/4)');
