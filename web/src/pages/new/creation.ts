/** Creates a table and takes seats: one, or several for people at this screen. */

import { rename } from '../../lib/api';
import { t } from '../../lib/i18n.svelte';
import { self } from '../../lib/me.svelte';
import { createTable, seatGuest } from '../../deal/seats';
import type { TableSetup } from '../../protocol';
import { guests, setupOf, type Choices } from './setup';

/** Create a table, take its first seat, and return its id. */
export async function make(setup: TableSetup): Promise<string> {
  return (await createTable(setup, 0)).table;
}

/** The same from the choices on the new-table page. */
export async function makeFrom(choices: Choices): Promise<string> {
  const host = choices.names[0]?.trim();
  if (choices.audience === 'here' && host && host !== self.now?.name) self.now = await rename(host);
  const message = await createTable(setupOf(choices), 0);
  if (choices.audience === 'here') {
    for (const seat of guests(choices))
      await seatGuest(
        message,
        seat,
        choices.names[seat]?.trim() || t('new.player', { number: seat + 1 }),
      );
  }
  return message.table;
}
