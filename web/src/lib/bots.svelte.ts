/** The bots of this server: the levels, and guests that its operator invited. */

import { LEVELS, type BotName, type GuestBotLine } from '../protocol';
import { getConfig } from './api';

let guests = $state.raw<readonly GuestBotLine[]>([]);
let asked = false;

export const bots = {
  get all(): readonly BotName[] {
    return [...LEVELS, ...guests.map(({ level }) => level)];
  },
  /** What the author of a guest bot says of it. */
  about(level: BotName): string {
    return guests.find((each) => each.level === level)?.about ?? '';
  },
};

/** Ask the server once which guests it has; until it answers, there are the levels. */
export function findGuests(): void {
  if (asked) return;
  asked = true;
  getConfig()
    .then((config) => (guests = config.bots))
    .catch(() => (asked = false));
}
