/** The one connection of this page, and its state. */

import { getMe } from './api';
import { meet } from './me.svelte';
import { Live, type ConnectionState, type Socket } from './live';

let state = $state<ConnectionState>('connecting');
let elsewhere = $state<string | null>(null); // another table where it is my turn

export const connection = {
  get state(): ConnectionState {
    return state;
  },
  get elsewhere(): string | null {
    return elsewhere;
  },
  forget(table: string): void {
    if (elsewhere === table) elsewhere = null;
  },
};

export const live = new Live({
  connect: openSocket,
  onState: (next) => (state = next),
  onYourTurn: (message) => (elsewhere = message.table),
  onSignedOut: () => void meet().then(() => live.hurry()),
});

function openSocket(): Socket {
  const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
  return new WebSocket(`${scheme}//${location.host}/api/live`) as unknown as Socket;
}

/** Connect with an identity: a socket without a cookie would be refused. */
export async function connect(): Promise<void> {
  window.addEventListener('online', hurry);
  document.addEventListener('visibilitychange', hurry);
  // Without an answer the connection is tried all the same, and again and again.
  await getMe().catch(() => {});
  live.start();
}

function hurry(): void {
  if (document.visibilityState === 'visible') live.hurry();
}
