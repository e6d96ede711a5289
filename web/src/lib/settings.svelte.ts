/** The reader's settings, stored in the browser. */

import type { Language } from './i18n.svelte';

export interface Settings {
  language: Language | null; // null: as the browser prefers
  theme: 'auto' | 'light' | 'dark';
  sound: boolean;
  vibrate: boolean;
  roman: boolean; // capacities at the crests in Roman figures
  coach: boolean; // explains the turns of bots
  sendAtOnce: boolean; // a finished turn is sent without "End turn"
  pace: 'calm' | 'brisk' | 'instant'; // how fast other players' turns are shown
  notify: boolean; // browser notifications when it is my turn
}

const KEY = 'patrizier.settings';
const DEFAULTS: Settings = {
  language: null,
  theme: 'auto',
  sound: false,
  vibrate: false,
  roman: false,
  coach: false,
  sendAtOnce: false,
  pace: 'calm',
  notify: false,
};

function stored(): Partial<Settings> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Settings>;
  } catch {
    return {}; // storage is not available, or has an old format
  }
}

let settings = $state.raw<Settings>({ ...DEFAULTS, ...stored() });

export const prefs = {
  get now(): Settings {
    return settings;
  },
};

/** Change and store some settings. */
export function prefer(change: Partial<Settings>): void {
  settings = { ...settings, ...change };
  if (change.language) tellServer(change.language);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Not stored: they apply to this visit only.
  }
}

/** A cookie: the server writes some pages itself, before this script runs. */
function tellServer(language: Language): void {
  document.cookie = `patrizier-language=${language}; path=/; max-age=31536000; samesite=lax`;
}

/** Store a small value in the browser under a name; null deletes it. */
export function keep(name: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(`patrizier.${name}`);
    else localStorage.setItem(`patrizier.${name}`, JSON.stringify(value));
  } catch {
    // Storage is not available.
  }
}

export function kept<T>(name: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(`patrizier.${name}`) ?? 'null') as T | null;
  } catch {
    return null;
  }
}
