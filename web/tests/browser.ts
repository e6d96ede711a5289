/** What modules need of a browser: a place to keep things, and a server that answers. */

import { vi } from 'vitest';

export interface Sent {
  path: string;
  body: unknown;
  note?: unknown;
}

/** Be a browser in which nothing is kept yet; returns what it sends from now on. */
export function browser(answer: (request: Sent) => unknown = () => ({})): Sent[] {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  const sent: Sent[] = [];
  vi.stubGlobal('fetch', async (path: string, options: { body?: string }) => {
    const request: Sent = { path, body: options.body ? JSON.parse(options.body) : null };
    sent.push(request);
    return new Response(JSON.stringify(answer(request)));
  });
  return sent;
}
