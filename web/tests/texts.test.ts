/** The texts: complete in every language, readable as messages, and all in use. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '../src');
const LANGUAGES = ['en', 'de', 'nl', 'it'] as const;
const ROOMS = ['about', 'common', 'learn', 'log', 'pages', 'rules', 'table'] as const;

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

/** The arguments of a message, and their kinds: ["count plural", "name"]. */
function argumentsOf(text: string, language: Language): string[] {
  const found = new Set<string>();
  const walk = (elements: readonly unknown[]): void => {
    for (const element of elements as { type: number; value: string; options?: object }[]) {
      if (element.type === 0 || element.type === 7) continue; // plain text, and "#"
      found.add(element.value);
      for (const option of Object.values(element.options ?? {}) as { value: unknown[] }[]) {
        walk(option.value);
      }
    }
  };
  walk(new IntlMessageFormat(text, language).getAst());
  return [...found].sort();
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
