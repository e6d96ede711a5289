/** Give a link away: by the device's own way of sharing, where there is one, or to be pasted. */

import { t } from './i18n.svelte';

/** Returns whether it was given: a browser may refuse, or its owner. */
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
