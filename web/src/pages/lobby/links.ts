/** Links to tables, as people paste them. */

const LINK = /^(?:.*\/t\/|)([\w-]{16,64})\/?([?#].*)?$/;

/** Where a pasted link or id leads within the page; a link for watchers carries its key along. */
export function addressIn(text: string): string | null {
  const match = LINK.exec(text.trim());
  return match ? `/t/${match[1]}${match[2] ?? ''}` : null;
}
