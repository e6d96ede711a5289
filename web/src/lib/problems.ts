/** Error messages in the reader's language. */

import { ApiProblem } from './api';
import { t, type TextKey } from './i18n.svelte';
import { Refusal } from './live';

export function explain(error: unknown): string {
  if (error instanceof ApiProblem && error.code === 'offline') return t('problem.offline');
  if (error instanceof Refusal || error instanceof ApiProblem) {
    if (!error.reason) return t('app.error', { reason: error.message });
    const key: TextKey = `refused.${error.reason}`;
    const text = t(key, error.values);
    return text === key ? error.message : text; // a reason that is newer than this page
  }
  return t('app.error', { reason: error instanceof Error ? error.message : String(error) });
}
