/** Updates the page after a change of identity. */

import { live } from '../../lib/connection.svelte';
import { self } from '../../lib/me.svelte';
import type { Me } from '../../protocol';

/** Reconnect: the old socket still belongs to the old cookie. */
export function becomeMe(me: Me, another = true): void {
  self.now = me;
  if (another) live.stop();
}
