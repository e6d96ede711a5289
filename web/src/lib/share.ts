/** Shares a link by the device's share dialog, if there is one, or by the clipboard. */

import { t } from './i18n.svelte';

/** What a share dialog sends along, where it can. */
export interface Along {
  text?: string;
  picture?: File | null;
}

/** Whether a dialog opens: on phones and tablets. Elsewhere links are copied. */
export function sharesByDialog(): boolean {
  return 'share' in navigator && matchMedia('(pointer: coarse)').matches;
}

/** The words of a button that shares a link. */
export function shareWord(copied: boolean): string {
  if (sharesByDialog()) return t('action.share');
  return t(copied ? 'action.copied' : 'action.copy');
}

/** Returns whether it was shared: the browser or the user may refuse. */
export async function shareLink(link: string, along: Along = {}): Promise<boolean> {
  try {
    if (sharesByDialog()) await navigator.share(sharedBy(link, along));
    else await navigator.clipboard.writeText(link);
    return true;
  } catch {
    return false;
  }
}

function sharedBy(url: string, { text, picture }: Along): ShareData {
  const plain = { url, title: t('app.name'), ...(text ? { text } : {}) };
  const whole = picture ? { ...plain, files: [picture] } : plain;
  return picture && navigator.canShare?.(whole) ? whole : plain;
}
