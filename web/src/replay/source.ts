/** Explains what is wrong with a game to replay, and shows a record's tags. */

import { ApiProblem } from '../lib/api';
import { t } from '../lib/i18n.svelte';
import { explain } from '../lib/problems';

export interface Broken {
  code: string; // of the refusal; "too-long" and "offline" are our own
  said: string; // the error, for the reader
  why: string; // what is wrong with a line
  line: number | null; // of the record, counted from 1
  quote: string; // that line
}

export function brokenBy(error: unknown, record = ''): Broken {
  const said = explain(error);
  const code = error instanceof ApiProblem ? error.code : 'error';
  if (!(error instanceof ApiProblem) || error.values.line === undefined)
    return { code, said, why: '', line: null, quote: '' };
  const line = Number(error.values.line);
  const quote = record.split('\n')[line - 1]?.trim() ?? '';
  const short = quote.length > 160 ? `${quote.slice(0, 157)}…` : quote;
  const place = t('refused.unreadable-record', { line });
  return { code, said: place, why: said === place ? '' : said, line, quote: short };
}

const DULL = new Set([
  'Game',
  'Version',
  'Players',
  'Names',
  'Colours',
  'Rules',
  'Deal',
  'Cards',
  'Start',
  'Winners',
]);

/** Tags with a translated name; others are shown as written. */
const NAMED = [
  'Deck',
  'Result',
  'Event',
  'Site',
  'Date',
  'Table',
  'Commitment',
  'Secret',
  'Contributions',
] as const;

export function tagName(tag: string): string {
  const known = NAMED.find((each) => each === tag);
  return known ? t(`tag.${known}`) : tag;
}

/** The tags of a record that the page does not show elsewhere. */
export function worthTelling(tags: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(tags)
    .filter(([name, value]) => !DULL.has(name) && value && value !== '*')
    .map(([name, value]) => [name, value.replace(/\\(.)/g, '$1')]);
}
