/** Taking note of who I am now. */

import { live } from '../../lib/line.svelte';
import { self } from '../../lib/me.svelte';
import type { Me } from '../../protocol';

/** With another cookie the old line would still speak for the old person. */
export function becomeMe(me: Me, another = true): void {
  self.now = me;
  if (another) live.stop();
}
