/** The texts: complete in every language, readable as messages, and all in use. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '../src');
const LANGUAGES = ['en', 'de', 'nl', 'it'] as const;
const ROOMS = [
  'about',
  'analysis',
  'common',
  'company',
  'ending',
  'learn',
  'log',
  'pages',
  'puzzles',
  'refusals',
  'rules',
  'table',
] as const;

type Texts = Record<string, string>;
type Language = (typeof LANGUAGES)[number];

function read(language: Language, room: string): Texts {
  return JSON.parse(readFileSync(join(SRC, 'texts', language, `${room}.json`), 'utf8')) as Texts;
}

function all(language: Language): Texts {
  return Object.assign({}, ...ROOMS.map((room) => read(language, room))) as Texts;
}

/** All that is written for the page, texts aside. */
function sources(folder = SRC): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'texts' ? [] : sources(path);
    return /\.(ts|svelte)$/.test(entry.name) ? [readFileSync(path, 'utf8')] : [];
  });
}

interface Part {
  type: number;
  value: string;
  options?: Record<string, { value: Part[] }>;
}

/** The parts of a message, those within others, too. */
function partsOf(text: string, language: Language): Part[] {
  const walk = (parts: Part[]): Part[] =>
    parts.flatMap((part) => [
      part,
      ...Object.values(part.options ?? {}).flatMap((option) => walk(option.value)),
    ]);
  return walk(new IntlMessageFormat(text, language).getAst() as Part[]);
}

/** The arguments of a message. */
function argumentsOf(text: string, language: Language): string[] {
  const parts = partsOf(text, language).filter(({ type }) => type !== 0 && type !== 7); // text, "#"
  return [...new Set(parts.map(({ value }) => value))].sort();
}

const english = all('en');
const code = sources().join('\n');

describe.each(ROOMS)('%s', (room) => {
  it.each(LANGUAGES)('has the same keys in %s as in English', (language) => {
    expect(Object.keys(read(language, room)).sort()).toEqual(Object.keys(read('en', room)).sort());
  });
});

it('gives every key one room only', () => {
  const keys = ROOMS.flatMap((room) => Object.keys(read('en', room)));
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
});

describe.each(LANGUAGES)('%s', (language) => {
  const texts = all(language);

  it('has no empty text', () => {
    expect(Object.keys(texts).filter((key) => !texts[key]?.trim())).toEqual([]);
  });

  it('has only kinds of arguments that the page knows: plain ones, select and plural', () => {
    for (const [key, text] of Object.entries(texts)) {
      const kinds = partsOf(text, language).map(({ type }) => type);
      expect([key, kinds.filter((kind) => ![0, 1, 5, 6, 7].includes(kind))]).toEqual([key, []]);
    }
  });

  it('has messages that can be read, with the arguments of the English ones', () => {
    for (const [key, text] of Object.entries(texts)) {
      const wanted = argumentsOf(english[key] ?? '', 'en');
      expect([key, argumentsOf(text, language)]).toEqual([key, wanted]);
    }
  });
});

/** Every literal in the sources that could be a key, with "*" for what is put in. */
function mentioned(): { plain: Set<string>; patterns: RegExp[] } {
  const plain = new Set<string>();
  const patterns: RegExp[] = [];
  for (const [, text] of code.matchAll(/['"]([a-z][\w-]*(?:\.[\w-]+)+)['"]/g)) {
    if (text) plain.add(text);
  }
  for (const [, text] of code.matchAll(/`([a-z][\w-]*\.(?:[\w.-]|\$\{[^}`]*\})+)`/g)) {
    if (!text?.includes('${')) continue;
    const parts = text.split(/\$\{[^}]*\}/).map((part) => part.replaceAll('.', '\\.'));
    patterns.push(new RegExp(`^${parts.join('[\\w-]+')}$`));
  }
  return { plain, patterns };
}

describe('the sources', () => {
  const { plain, patterns } = mentioned();

  it('use every text', () => {
    const unused = Object.keys(english).filter(
      (key) => !plain.has(key) && !patterns.some((pattern) => pattern.test(key)),
    );
    expect(unused).toEqual([]);
  });

  it('ask for no text that is not there', () => {
    const asked = [...code.matchAll(/\bt\(\s*['"]([^'"]+)['"]/g)].map(([, key]) => key ?? '');
    expect(asked.length).toBeGreaterThan(100);
    expect([...new Set(asked)].filter((key) => !(key in english))).toEqual([]);
  });

  it('ask for a key with something put in only where there are such texts', () => {
    const asked = [...code.matchAll(/\bt\(\s*`([^`]+)`/g)].map(([, key]) => key ?? '');
    const missing = asked.filter((key) => {
      const parts = key.split(/\$\{[^}]*\}/).map((part) => part.replaceAll('.', '\\.'));
      const pattern = new RegExp(`^${parts.join('[\\w-]+')}$`);
      return !Object.keys(english).some((known) => pattern.test(known));
    });
    expect(missing).toEqual([]);
  });
});
