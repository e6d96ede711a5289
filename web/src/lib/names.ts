/** Names of people: chosen ones, or default names in the reader's language. */

import type { Alias } from '../protocol';
import { t } from './i18n.svelte';

const GUEST = /^Guest ([1-9]\d{3})$/;
const SOMEBODY = 'Somebody';

export function called({ name, alias }: { name: string; alias: Alias | null }): string {
  if (!alias) return name;
  if (alias.kind === 'somebody') return t('name.somebody');
  return t('name.guest', { number: String(alias.number) }); // without digit grouping
}

/** The same for a name in a record, which is written in English. */
export function calledInRecord(name: string): string {
  if (name === SOMEBODY) return t('name.somebody');
  const number = GUEST.exec(name)?.[1];
  return number ? t('name.guest', { number }) : name;
}
