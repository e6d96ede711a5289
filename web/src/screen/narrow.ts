/** Whether the screen is too narrow for a column beside the board. */

import { MediaQuery } from 'svelte/reactivity';

export const narrow = new MediaQuery('max-width: 900px');
