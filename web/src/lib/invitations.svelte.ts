/** Tables to which friends invite me, asked for again and again while somebody looks. */

import type { InvitationLine } from '../protocol';
import { decline, myInvitations } from './api';

let lines = $state.raw<InvitationLine[]>([]);

export const invitations = {
  get now(): readonly InvitationLine[] {
    return lines;
  },
};

/** Ask the server: a stranger has no invitations, and does not become a guest by that. */
async function look(): Promise<void> {
  try {
    lines = (await myInvitations()).invitations;
  } catch {
    // the page is there all the same
  }
}

/**
 * Ask now or a little later, then every so many ms, and when the page is looked at again; returns a
 * function that ends it.
 */
export function keepAsking(every: number, after = 0): () => void {
  const again = () => {
    if (document.visibilityState === 'visible') void look();
  };
  const first = setTimeout(() => void look(), after);
  const timer = setInterval(again, every);
  document.addEventListener('visibilitychange', again);
  return () => {
    clearTimeout(first);
    clearInterval(timer);
    document.removeEventListener('visibilitychange', again);
  };
}

export async function refuse(table: string): Promise<void> {
  try {
    lines = (await decline(table)).invitations;
  } catch {
    await look();
  }
}
