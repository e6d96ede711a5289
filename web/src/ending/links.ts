/** Addresses of a finished game that others can open. */

import type { TableMessage } from '../protocol';

/** The key with which anybody may look at a game; '' if none is needed, null if nobody may. */
export function linkKey(
  message: Pick<TableMessage, 'setup' | 'you'> | null,
  key: string,
): string | null {
  if (!message || message.you.role === 'outsider') return null;
  if (message.setup.watch === 'everyone') return '';
  return message.you.watch_key ?? (key || null);
}

function query(key: string, language: string): string {
  return new URLSearchParams({ ...(key ? { key } : {}), lang: language }).toString();
}

export const pictureOf = (table: string, key: string, language: string) =>
  `/api/tables/${table}/picture?${query(key, language)}`;

/** With its language: those who show the link elsewhere do not know who will read it. */
export const replayOf = (table: string, key: string, language: string) =>
  `/replay/${table}?${query(key, language)}`;
