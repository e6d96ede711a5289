/** Links: everything is in the fragment. */

export const SHORT = 16_000; // letters that a link may have

/** The address that opens a packed study. */
export async function addressOf(packed: string): Promise<string> {
  return `${location.origin}/what-if#${packed}`;
}
