/** The pages by path. Every page is a separate chunk, loaded on demand. */

import type { Component } from 'svelte';

interface Page {
  default: Component<{ param: string }>;
  leads?: (param: string) => string | null; // to another path, shown instead
  prepare?: (param: string) => Promise<unknown>; // fetches data for the first paint
}

interface Route {
  pattern: RegExp;
  load: () => Promise<Page>;
  bare?: boolean; // without the shell's head: the table needs the room
}

const ROUTES: Route[] = [
  { pattern: /^\/$/, load: () => import('./pages/front/Front.svelte') },
  { pattern: /^\/tables$/, load: () => import('./pages/lobby/Lobby.svelte') },
  { pattern: /^\/new$/, load: () => import('./pages/new/NewTable.svelte') },
  { pattern: /^\/t\/([\w-]{16,64})$/, load: () => import('./table/Table.svelte'), bare: true },
  { pattern: /^\/replay$/, load: () => import('./replay/Replay.svelte'), bare: true },
  {
    pattern: /^\/replay\/([\w-]{16,64})$/,
    load: () => import('./replay/Replay.svelte'),
    bare: true,
  },
  {
    pattern: /^\/analysis(?:\/([\w-]{16,64}))?$/,
    load: () => import('./analysis/Analysis.svelte'),
    bare: true,
  },
  {
    pattern: /^\/what-if(?:\/([\w-]{16}))?$/,
    load: () => import('./whatif/WhatIf.svelte'),
    bare: true,
  },
  { pattern: /^\/learn(?:\/([a-z-]+))?$/, load: () => import('./learn/Learn.svelte'), bare: true },
  { pattern: /^\/puzzles$/, load: () => import('./puzzles/Puzzles.svelte') },
  {
    pattern: /^\/puzzle\/(day|train|[0-9a-f]{8})$/,
    load: () => import('./puzzles/Solve.svelte'),
    bare: true,
  },
  { pattern: /^\/rules$/, load: () => import('./pages/rules/Rules.svelte') },
  { pattern: /^\/you$/, load: () => import('./pages/profile/Profile.svelte') },
  {
    pattern: /^\/ratings(?:\/([2-5]))?$/,
    load: () => import('./pages/ratings/Ratings.svelte'),
  },
  { pattern: /^\/friends$/, load: () => import('./pages/friends/Friends.svelte') },
  {
    pattern: /^\/friend\/([\w-]{22})$/,
    load: () => import('./pages/friends/FriendLink.svelte'),
  },
  { pattern: /^\/about$/, load: () => import('./pages/About.svelte') },
];

if (import.meta.env.DEV || import.meta.env.MODE === 'gallery') {
  ROUTES.push({ pattern: /^\/gallery$/, load: () => import('./pages/Gallery.svelte'), bare: true });
}

const MISSING: Route = { pattern: /^/, load: () => import('./pages/Missing.svelte') };

/** A loaded page, and the path it was loaded for. */
export interface Shown {
  page: Component<{ param: string }>;
  path: string;
  param: string; // the part in brackets, or nothing
  bare: boolean;
}

export async function load(path: string): Promise<Shown> {
  for (const route of [...ROUTES, MISSING]) {
    const match = route.pattern.exec(path);
    if (!match) continue;
    const { default: page, leads, prepare } = await route.load();
    const param = match[1] ?? '';
    const other = leads?.(param);
    if (other) return load(other);
    await prepare?.(param).catch(() => {}); // the page will show the error
    return { page, path, param, bare: route.bare ?? false };
  }
  throw new Error(`there is no page for ${path}`);
}
