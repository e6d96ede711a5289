/** Which page lies at which address. Every page is a file of its own, loaded when it is needed. */

import type { Component } from 'svelte';

type Page = { default: Component<{ param: string }> };

interface Route {
  pattern: RegExp;
  load: () => Promise<Page>;
  bare?: boolean; // without the shell's head: the table needs the room
}

const ROUTES: Route[] = [
  { pattern: /^\/$/, load: () => import('./pages/Front.svelte') },
  { pattern: /^\/tables$/, load: () => import('./pages/Lobby.svelte') },
  { pattern: /^\/new$/, load: () => import('./pages/NewTable.svelte') },
  { pattern: /^\/t\/([\w-]{16,64})$/, load: () => import('./table/Table.svelte'), bare: true },
  { pattern: /^\/replay$/, load: () => import('./replay/Replay.svelte'), bare: true },
  {
    pattern: /^\/replay\/([\w-]{16,64})$/,
    load: () => import('./replay/Replay.svelte'),
    bare: true,
  },
  { pattern: /^\/learn(?:\/([a-z-]+))?$/, load: () => import('./learn/Learn.svelte'), bare: true },
  { pattern: /^\/rules$/, load: () => import('./pages/Rules.svelte') },
  { pattern: /^\/you$/, load: () => import('./pages/Profile.svelte') },
  { pattern: /^\/about$/, load: () => import('./pages/About.svelte') },
];

if (import.meta.env.DEV || import.meta.env.MODE === 'gallery') {
  ROUTES.push({ pattern: /^\/gallery$/, load: () => import('./pages/Gallery.svelte'), bare: true });
}

const MISSING: Route = { pattern: /^/, load: () => import('./pages/Missing.svelte') };

export interface Found {
  load: () => Promise<Page>;
  param: string; // the part in brackets, or nothing
  bare: boolean;
}

export function find(path: string): Found {
  for (const route of ROUTES) {
    const match = route.pattern.exec(path);
    if (match) return { load: route.load, param: match[1] ?? '', bare: route.bare ?? false };
  }
  return { load: MISSING.load, param: '', bare: false };
}
