/** "Your turn" in a background tab: the page's title, and a notification if wanted. */

import { t } from './i18n.svelte';
import { prefs } from './settings.svelte';

export function tellTurn(mine: boolean, title: string): void {
  document.title = mine ? `● ${t('table.your-turn')} · ${title}` : title;
}

export function notifyTurn(title: string): void {
  if (!prefs.now.notify || !document.hidden || !('Notification' in window)) return;
  if (Notification.permission !== 'granted') return;
  const notice = new Notification(title, {
    body: t('table.your-turn'),
    icon: '/icon-192.png',
    tag: 'turn',
  });
  notice.onclick = () => {
    window.focus();
    notice.close();
  };
}
