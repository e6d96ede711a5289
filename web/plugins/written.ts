/**
 * Prerenders pages at build time, in every language: `written/de/rules.html` for /rules, and
 * `written/de/replay/any.html`, which is empty, for all paths below /replay. Each preloads all files
 * it needs.
 */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build, type Plugin, type Rolldown } from 'vite';
import { SCENES } from '../src/learn/progress.ts';
import type { Topic } from '../src/lib/i18n.svelte';
import type { Head, Written } from '../src/prerender';
import { readTexts } from './texts.ts';

const LANGUAGES = ['en', 'de', 'nl', 'it'];
const WHOLE = {
  '': 'pages/front/Front.svelte',
  tables: 'pages/lobby/Lobby.svelte',
  new: 'pages/new/NewTable.svelte',
  rules: 'pages/rules/Rules.svelte',
  about: 'pages/About.svelte',
  puzzles: 'puzzles/Puzzles.svelte',
};
const EMPTY = {
  you: 'pages/profile/Profile.svelte',
  t: 'table/Table.svelte',
  replay: 'replay/Replay.svelte',
  learn: 'learn/Learn.svelte',
  puzzle: 'puzzles/Solve.svelte',
  analysis: 'analysis/Analysis.svelte',
  'what-if': 'whatif/WhatIf.svelte',
  ratings: 'pages/ratings/Ratings.svelte',
  friends: 'pages/friends/Friends.svelte',
};
/** Texts that a page loads in addition to those of all pages. */
const TOPICS: Record<string, readonly Topic[]> = {
  puzzles: ['puzzles'],
  puzzle: ['puzzles', 'analysis'],
  analysis: ['analysis'],
  'what-if': ['analysis'],
};
/** Answers of the server that a page needs first. */
const ASKED: Record<string, string> = {
  puzzles: '/api/puzzles',
  puzzle: '/api/puzzles',
  t: '/api/me',
};
/** Pages that begin with the same words, wherever they lead: an address that each stands for. */
const OPENING: Record<string, string> = { t: `/t/${'-'.repeat(16)}` };

interface Writer {
  headOf: (path: string, language: string, topics: readonly Topic[]) => Promise<Head>;
  write: (path: string, language: string) => Promise<Written>;
}

export function writePages(): Plugin {
  return {
    name: 'patrizier-written',
    apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    async writeBundle({ dir }, bundle) {
      if (!dir) return;
      const blank = readFileSync(join(dir, 'index.html'), 'utf8');
      const workshop = mkdtempSync(join(tmpdir(), 'patrizier-'));
      const { headOf, write } = await writer(workshop);
      for (const language of LANGUAGES) {
        const save = (name: string, page: string) => {
          const path = join(dir, 'written', language, `${name}.html`);
          mkdirSync(dirname(path), { recursive: true });
          writeFileSync(path, page.replace('<html lang="en">', `<html lang="${language}">`));
        };
        /** The document with its head, and a preload link for everything that the page needs. */
        const outline = async (path: string, source: string) => {
          const topics = TOPICS[path] ?? [];
          const files = [
            `src/${source}`,
            `src/texts/${language}.ts`,
            ...topics.map((topic) => `src/texts/${language}/${topic}.json`),
          ].flatMap((file) => filesFor(bundle, file));
          const page = withHead(ask(blank, files), await headOf(`/${path}`, language, topics));
          return ASKED[path] ? askFor(page, ASKED[path]) : page;
        };
        /** The document with the page in it, as it is at an address. */
        const filled = async (page: string, address: string) => {
          const { body, symbols } = await write(address, language);
          return page
            .replace('</svg>', () => `${symbols}</svg>`)
            .replace('<div id="app">', () => `<div id="app">${body}`);
        };
        for (const [path, source] of Object.entries(WHOLE))
          save(path || 'index', await filled(await outline(path, source), `/${path}`));
        for (const [path, source] of Object.entries(EMPTY)) {
          const asked = await outline(path, source);
          const opening = OPENING[path];
          save(`${path}/any`, opening ? await filled(asked, opening) : asked);
          if (path !== 'learn') continue;
          for (const scene of SCENES)
            save(`learn/${scene}`, askFor(asked, `/api/lessons/${scene}`));
          save('learn', askFor(asked, `/api/lessons/${SCENES[0]}`)); // where newcomers begin
        }
      }
      rmSync(workshop, { recursive: true });
    },
  };
}

/** Build the page for Node, and return its renderer. */
async function writer(folder: string): Promise<Writer> {
  await build({
    configFile: false,
    logLevel: 'error',
    plugins: [readTexts(), svelte()],
    ssr: { noExternal: true },
    build: {
      ssr: 'src/prerender.ts',
      outDir: folder,
      emptyOutDir: true,
      rolldownOptions: { output: { entryFileNames: 'prerender.mjs' } },
    },
  });
  return (await import(pathToFileURL(join(folder, 'prerender.mjs')).href)) as Writer;
}

/** Fill in a placeholder of the document; an error if it is missing. */
function withHead(page: string, { title, description, noscript }: Head): string {
  const parts: [RegExp, string][] = [
    [/<title>[^<]*<\/title>/, `<title>${escaped(title)}</title>`],
    [
      /<meta\s+name="description"\s+content="[^"]*"\s*\/?>/,
      `<meta name="description" content="${escaped(description)}" />`,
    ],
    [/<noscript>[^<]*<\/noscript>/, `<noscript>${escaped(noscript)}</noscript>`],
  ];
  for (const [place, text] of parts) {
    if (!place.test(page)) throw new Error(`the page has no ${place.source}`);
    page = page.replace(place, () => text);
  }
  return page;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** The files of a lazy module, and of all its imports. */
function filesFor(bundle: Rolldown.OutputBundle, source: string): string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const first = chunks.find((chunk) => chunk.facadeModuleId?.endsWith(source));
  if (!first) throw new Error(`there is no file for ${source}`);
  const found = new Set([first.fileName]);
  for (const name of found) {
    const chunk = bundle[name];
    if (chunk?.type === 'chunk') for (const each of chunk.imports) found.add(each);
  }
  const styles = [...found].flatMap((name) => {
    const chunk = bundle[name];
    return chunk?.type === 'chunk' ? [...(chunk.viteMetadata?.importedCss ?? [])] : [];
  });
  return [...styles, ...found];
}

/** Add preload links for files that a page needs. */
function ask(page: string, files: string[]): string {
  const links = [...new Set(files)]
    .filter((file) => !page.includes(`/${file}"`))
    .map((file) =>
      file.endsWith('.css')
        ? `<link rel="stylesheet" crossorigin href="/${file}">`
        : `<link rel="modulepreload" crossorigin href="/${file}">`,
    );
  return page.replace('</head>', () => `${links.join('')}</head>`);
}

/** Add a preload link for an answer of the server. */
function askFor(page: string, address: string): string {
  const link = `<link rel="preload" as="fetch" crossorigin href="${address}">`;
  return page.replace('</head>', () => `${link}</head>`);
}
