/** Parses texts at build time, so that the page needs no parser. */

import { parse } from '@formatjs/icu-messageformat-parser';
import type { Plugin } from 'vite';

export function readTexts(): Plugin {
  return {
    name: 'patrizier-texts',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/src\/texts\/\w+\/\w+\.json$/.test(id)) return null;
      const texts = JSON.parse(code) as Record<string, string>;
      const read = Object.entries(texts).map(([key, text]) => [key, partsOf(text)]);
      return { code: JSON.stringify(Object.fromEntries(read)), map: null };
    },
  };
}

/** A text without values stays a string. */
function partsOf(text: string) {
  const parts = parse(text);
  const [first] = parts;
  return parts.length === 1 && first && first.type === 0 ? first.value : parts;
}
