/** Who I am, for every page. */

import type { Me } from '../protocol';
import { getMe } from './api';

let me = $state.raw<Me | null>(null);

export const self = {
  get now(): Me | null {
    return me;
  },
  set now(next: Me | null) {
    me = next;
  },
};

/** Ask the server once; pages show the name as soon as it is known. */
export async function meet(): Promise<void> {
  me = await getMe();
}
