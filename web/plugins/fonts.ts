/** Makes the Latin fonts smaller: the weights and features that the page uses, and no others.

Everybody loads these two files first. Names in other scripts use the packages' files as they are. */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const WEB = join(import.meta.dirname, '..');
const MODULES = join(WEB, 'node_modules');
const WEIGHTS = { min: 400, max: 700 };
const ALWAYS = ['ccmp', 'kern', 'locl', 'mark', 'mkmk'];
const FEATURES = { inter: ['tnum'], 'eb-garamond': ['liga', 'pnum', 'tnum', 'lnum'] };

/** Point style sheets and the document to the smaller files. */
export function smallFonts(): Plugin {
  let fonts: Alias[] = [];
  return {
    name: 'patrizier-fonts',
    async config() {
      fonts = await smallFiles();
      return { resolve: { alias: fonts } };
    },
    transformIndexHtml: {
      order: 'pre',
      handler: (page) =>
        fonts.reduce((done, { find, replacement }) => {
          const address = relative(WEB, replacement).split(sep).join('/');
          return done.replace(new RegExp(`(?<=")${find.source}(?=")`), `/${address}`);
        }, page),
    },
  };
}

interface Alias {
  find: RegExp; // a whole address
  replacement: string; // a file
}

/** Return the smaller files, which are made once and kept. */
export async function smallFiles(): Promise<Alias[]> {
  return Promise.all(
    Object.entries(FEATURES).map(async ([family, features]) => {
      const name = `${family}-latin-wght-normal.woff2`;
      return {
        find: new RegExp(`[^"]*/${name.replaceAll('.', '\\.')}`),
        replacement: await smaller(family, name, [...ALWAYS, ...features]),
      };
    }),
  );
}

async function smaller(family: string, name: string, features: string[]): Promise<string> {
  const folder = join(MODULES, '@fontsource-variable', family);
  const font = readFileSync(join(folder, 'files', name));
  const { latin } = JSON.parse(readFileSync(join(folder, 'unicode.json'), 'utf8')) as {
    latin: string;
  };
  const wanted = JSON.stringify([latin, WEIGHTS, features]);
  const key = createHash('sha256').update(font).update(wanted).digest('hex').slice(0, 16);
  const kept = join(MODULES, '.cache', 'fonts', key, name);
  if (!existsSync(kept)) {
    const small = await subsetFont(font, characters(latin), {
      targetFormat: 'woff2',
      variationAxes: { wght: WEIGHTS },
      keepFeatures: features,
    });
    mkdirSync(join(kept, '..'), { recursive: true });
    const draft = `${kept}.${process.pid}`; // another build may do the same
    writeFileSync(draft, small);
    renameSync(draft, kept);
  }
  return kept;
}

/** Return all characters of a CSS `unicode-range`. */
export function characters(ranges: string): string {
  const codes = [...ranges.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/gi)].flatMap(
    ([, first = '', last = first]) => {
      const [from, to] = [parseInt(first, 16), parseInt(last, 16)];
      return Array.from({ length: to - from + 1 }, (_, step) => from + step);
    },
  );
  return String.fromCodePoint(...codes);
}
