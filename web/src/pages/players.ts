import { COLOURS_FOR } from '../protocol';

/** How many may play: numbers that there are colours for. */
export const PLAYERS: readonly number[] = Object.keys(COLOURS_FOR).map(Number);
