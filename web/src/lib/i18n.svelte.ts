/** Texts in the reader's language: ICU messages, one file per topic and language. */

import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { formatToParts, type Formatters } from 'intl-messageformat';
import type about from '../texts/en/about.json';
import type analysis from '../texts/en/analysis.json';
import type common from '../texts/en/common.json';
import type company from '../texts/en/company.json';
import type ending from '../texts/en/ending.json';
import type learn from '../texts/en/learn.json';
import type log from '../texts/en/log.json';
import type pages from '../texts/en/pages.json';
import type puzzles from '../texts/en/puzzles.json';
import type refusals from '../texts/en/refusals.json';
import type rules from '../texts/en/rules.json';
import type table from '../texts/en/table.json';

export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  nl: 'Nederlands',
  it: 'Italiano',
} as const;
export type Language = keyof typeof LANGUAGES;
export type TextKey =
  | keyof typeof about
  | keyof typeof analysis
  | keyof typeof common
  | keyof typeof company
  | keyof typeof ending
  | keyof typeof learn
  | keyof typeof log
  | keyof typeof pages
  | keyof typeof puzzles
  | keyof typeof refusals
  | keyof typeof rules
  | keyof typeof table;
export type Values = Record<string, string | number>;

// Messages with values are arrays of parts (see plugins/texts.ts).
type Texts = Record<string, string | MessageFormatElement[]>;
const FILES = import.meta.glob<{ default: Texts }>('../texts/*.ts');

/** Texts of rarely visited screens, which load them. */
const MORE = import.meta.glob<{ default: Texts }>('../texts/*/{analysis,ending,puzzles}.json');
export type Topic = 'analysis' | 'ending' | 'puzzles';
const topics = new Set<Topic>();

let language = $state<Language>('en');
let wanted: Language = 'en';
let newest = Promise.resolve();
let texts = $state.raw<Texts>({});

// Creating an Intl object takes 10 ms and more, and our numbers are small, so it is avoided.
const FORMATTERS = {
  getNumberFormat: () => ({ format: plainNumber }),
  getPluralRules: (locales: string, options?: Intl.PluralRulesOptions) =>
    options?.type === 'ordinal' ? new Intl.PluralRules(locales, options) : { select: pluralOf },
} as unknown as Formatters;
const NO_FORMATS = { number: {}, date: {}, time: {} };

/** A small number, written alike in all our languages. */
export function plainNumber(value: number): string {
  const plain = Number.isInteger(value) && Math.abs(value) < 1000;
  return signed(plain ? String(value) : new Intl.NumberFormat(language).format(value));
}

/** With a real minus sign, as wide as a plus, instead of a hyphen. */
function signed(text: string): string {
  return text.replace('-', '−');
}

/** The plural category of a number below a million, the same in all our languages. */
export function pluralOf(value: number): 'one' | 'other' {
  return Math.abs(value) === 1 ? 'one' : 'other';
}

/** The first of the browser's languages that we support. */
export function preferred(wanted: readonly string[]): Language {
  for (const each of wanted) {
    const short = each.slice(0, 2).toLowerCase();
    if (short in LANGUAGES) return short as Language;
  }
  return 'en';
}

/** Switch the whole page to a language. */
export async function speak(next: Language): Promise<void> {
  wanted = next;
  await load();
  if (typeof document !== 'undefined') document.documentElement.lang = next;
}

/** Load the texts of a topic, too, in this language and in all that are chosen later. */
export async function loadTopic(topic: Topic): Promise<void> {
  if (topics.has(topic)) return;
  topics.add(topic);
  try {
    await load();
  } catch (error) {
    topics.delete(topic);
    throw error;
  }
}

/** Load the wanted texts; of concurrent loads, the last one wins. */
function load(): Promise<void> {
  const own: Promise<void> = (newest = show(wanted, () => own === newest));
  return own;
}

async function show(next: Language, isNewest: () => boolean): Promise<void> {
  const found = await textsIn(next);
  if (isNewest()) [texts, language] = [found, next];
  else await newest;
}

async function textsIn(next: Language): Promise<Texts> {
  const more = [...topics].map((each) => `../texts/${next}/${each}.json`);
  const names = [`../texts/${next}.ts`, ...more];
  const files = names.map((name) => {
    const file = FILES[name] ?? MORE[name];
    if (!file) throw new Error(`there are no texts in ${name}`);
    return file();
  });
  const found = (await Promise.all(files)).map((file) => file.default);
  return Object.assign({}, ...found) as Texts;
}

export function spoken(): Language {
  return language;
}

/** A text with its values filled in. */
export function t(key: TextKey, values: Values = {}): string {
  const text = texts[key];
  if (text === undefined) return key;
  if (typeof text === 'string') return text;
  const parts = formatToParts(text, language, FORMATTERS, NO_FORMATS, values);
  return parts.map((part) => part.value).join('');
}

/** A number; figures of thousands stay together, as ratings are written everywhere: 1500. */
export function number(value: number, digits = 0): string {
  return signed(
    new Intl.NumberFormat(language, {
      useGrouping: 'min2',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    }).format(value),
  );
}

export function percent(share: number, digits = 0): string {
  return new Intl.NumberFormat(language, {
    style: 'percent',
    maximumFractionDigits: digits,
  }).format(share);
}

/** "+8%", "−0.4%": small changes with one more digit. */
export function change(share: number): string {
  const digits = Math.abs(share) < 0.0095 ? 1 : 0;
  return signed(
    new Intl.NumberFormat(language, {
      style: 'percent',
      signDisplay: 'exceptZero',
      maximumFractionDigits: digits,
    }).format(share),
  );
}

/** "Anna, Ben and Cleo". */
export function list(words: readonly string[]): string {
  const [last, ...others] = [...words].reverse();
  if (!last || !others.length) return last ?? '';
  return t('list.and', { words: others.reverse().join(', '), last });
}

const TIME = { hour: 'numeric', minute: '2-digit' } as const;
const DAY = { day: 'numeric', month: 'short' } as const;

/** When something was, from unix seconds: today the time; the year only if it is another one. */
export function when(seconds: number, now = new Date()): string {
  const at = new Date(seconds * 1000);
  const sameYear = at.getFullYear() === now.getFullYear();
  const today = sameYear && at.getMonth() === now.getMonth() && at.getDate() === now.getDate();
  // As people write it where they are: British and American English differ.
  const place = navigator.languages.find((each) => each.startsWith(language)) ?? language;
  const parts = today
    ? TIME
    : sameYear
      ? { ...DAY, ...TIME }
      : { ...DAY, year: 'numeric' as const };
  return new Intl.DateTimeFormat(place, parts).format(at);
}
