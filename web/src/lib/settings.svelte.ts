/** How this person likes the page; kept in the browser. */

import type { Language } from './i18n.svelte';

export interface Settings {
  language: Language | null; // null: as the browser prefers
  theme: 'auto' | 'light' | 'dark';
  sound: boolean;
  sendAtOnce: boolean; // a finished turn is sent without "End turn"
  pace: 'calm' | 'brisk' | 'instant'; // how fast other players' turns are shown
  notify: boolean; // browser notifications when it is my turn
}

const KEY = 'patrizier.settings';
const DEFAULTS: Settings = {
  language: null,
  theme: 'auto',
  sound: false,
  sendAtOnce: false,
  pace: 'calm',
  notify: false,
};

function stored(): Partial<Settings> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Settings>;
  } catch {
    return {}; // a browser that keeps nothing, or an old form
  }
}

let settings = $state.raw<Settings>({ ...DEFAULTS, ...stored() });

export const prefs = {
  get now(): Settings {
    return settings;
  },
};

/** Change some settings and keep them. */
export function prefer(change: Partial<Settings>): void {
  settings = { ...settings, ...change };
  if (change.language) tellServer(change.language);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // It holds for this visit.
  }
}

/** The server writes some pages itself, before this script can say anything. */
function tellServer(language: Language): void {
  document.cookie = `patrizier-language=${language}; path=/; max-age=31536000; samesite=lax`;
}

/** Keep something small in the browser under a name; null forgets it. */
export function keep(name: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(`patrizier.${name}`);
    else localStorage.setItem(`patrizier.${name}`, JSON.stringify(value));
  } catch {
    // Not kept, then.
  }
}

export function kept<T>(name: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(`patrizier.${name}`) ?? 'null') as T | null;
  } catch {
    return null;
  }
}
