/** Shares a link by the device's share dialog, if there is one, or by the clipboard. */

import { t } from './i18n.svelte';

/** Returns whether it was shared: the browser or the user may refuse. */
export async function copyLink(link: string): Promise<boolean> {
  try {
    if (navigator.share && matchMedia('(pointer: coarse)').matches)
      await navigator.share({ url: link, title: t('app.name') });
    else await navigator.clipboard.writeText(link);
    return true;
  } catch {
    return false;
  }
}
