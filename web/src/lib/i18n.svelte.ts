/** Texts in the reader's language: ICU messages, one file a room and language. */

import { IntlMessageFormat } from 'intl-messageformat';
import type about from '../texts/en/about.json';
import type common from '../texts/en/common.json';
import type learn from '../texts/en/learn.json';
import type log from '../texts/en/log.json';
import type pages from '../texts/en/pages.json';
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
  | keyof typeof common
  | keyof typeof learn
  | keyof typeof log
  | keyof typeof pages
  | keyof typeof rules
  | keyof typeof table;
export type Values = Record<string, string | number>;

type Texts = Record<string, string>;
const FILES = import.meta.glob<{ default: Texts }>('../texts/*.ts');

let language = $state<Language>('en');
let texts = $state.raw<Texts>({});
const formats = new Map<string, IntlMessageFormat>();

/** The first of the browser's languages that we speak. */
export function preferred(wanted: readonly string[]): Language {
  for (const each of wanted) {
    const short = each.slice(0, 2).toLowerCase();
    if (short in LANGUAGES) return short as Language;
  }
  return 'en';
}

/** Switch the whole page to a language. */
export async function speak(next: Language): Promise<void> {
  const file = FILES[`../texts/${next}.ts`];
  if (!file) throw new Error(`there are no texts in ${next}`);
  texts = (await file()).default;
  language = next;
  formats.clear();
  document.documentElement.lang = next;
}

export function spoken(): Language {
  return language;
}

/** One text, with its values put in. */
export function t(key: TextKey, values?: Values): string {
  const text = texts[key];
  if (text === undefined) return key;
  if (!values && !text.includes('{') && !text.includes("'")) return text;
  const name = `${language} ${key}`;
  let format = formats.get(name);
  if (!format) formats.set(name, (format = new IntlMessageFormat(text, language)));
  return String(format.format(values ?? {}));
}

export function number(value: number, digits = 0): string {
  return new Intl.NumberFormat(language, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);
}

export function percent(share: number): string {
  return new Intl.NumberFormat(language, { style: 'percent' }).format(share);
}

/** "Anna, Ben and Cleo". */
export function list(words: readonly string[]): string {
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(words);
}

/** A day and hour, from seconds since 1970. */
export function when(seconds: number): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(
    seconds * 1000,
  );
}
