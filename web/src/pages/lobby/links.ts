/** Links to tables, as people paste them. */

const LINK = /^(?:.*\/t\/|)([\w-]{16,64})\/?([?#].*)?$/;

/** The path for a pasted link or id; a watchers' link keeps its key. */
export function addressIn(text: string): string | null {
  const match = LINK.exec(text.trim());
  return match ? `/t/${match[1]}${match[2] ?? ''}` : null;
}
