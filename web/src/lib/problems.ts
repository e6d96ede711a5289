/** What went wrong, in the reader's language where we know the reason, else in the server's words. */

import { ApiProblem } from './api';
import { t, type TextKey } from './i18n.svelte';

const KNOWN: Record<string, TextKey> = {
  offline: 'problem.offline',
  'wrong-password': 'problem.wrong-password',
  'login-taken': 'problem.login-taken',
  'weak-password': 'problem.weak-password',
  'no-mail': 'problem.no-mail',
  'too-much': 'problem.too-much',
  unknown: 'problem.unknown',
};

export function explain(error: unknown): string {
  if (!(error instanceof ApiProblem)) return t('app.error', { reason: String(error) });
  const known = KNOWN[error.code];
  if (known) return t(known);
  const text = error.message.replace(/^(?:[\w.]+: )?Value error, /, '');
  return text || t('app.error', { reason: error.code });
}
