/** Renders pages at build time, so that a browser can show them before any script is loaded. */

import { render } from 'svelte/server';
import App from './App.svelte';
import { DRAWINGS, symbolOf } from './art/sprite';
import { loadTopic, speak, t, type Language, type TextKey, type Topic } from './lib/i18n.svelte';
import { standAt } from './lib/router.svelte';
import { titleOf } from './lib/title';
import { load } from './routes';

/** The title of each page, and its description for search engines. */
const HEADS: Record<string, { title: TextKey | null; about: TextKey }> = {
  '/': { title: null, about: 'app.description' },
  '/tables': { title: 'lobby.title', about: 'app.description' },
  '/new': { title: 'new.title', about: 'app.description' },
  '/rules': { title: 'rules.title', about: 'rules.description' },
  '/about': { title: 'about.title', about: 'about.lead' },
  '/you': { title: 'you.title', about: 'app.description' },
  '/t': { title: null, about: 'app.description' },
  '/replay': { title: 'replay.title', about: 'replay.open.about' },
  '/learn': { title: 'learn.title', about: 'learn.description' },
  '/puzzles': { title: 'puzzles.title', about: 'puzzles.lead' },
  '/puzzle': { title: 'puzzles.title', about: 'puzzles.lead' },
  '/analysis': { title: 'analysis.title', about: 'app.description' },
  '/what-if': { title: 'whatif.title', about: 'app.description' },
  '/ratings': { title: 'ratings.title', about: 'ratings.lead' },
  '/friends': { title: 'friends.title', about: 'app.description' },
};

/** The parts of a document around a page. */
export interface Head {
  title: string;
  description: string;
  noscript: string;
}

export interface Written {
  body: string;
  symbols: string; // of the drawings in it
}

export async function headOf(
  path: string,
  language: Language,
  topics: readonly Topic[],
): Promise<Head> {
  await speak(language);
  await Promise.all(topics.map(loadTopic));
  const head = HEADS[path];
  if (!head) throw new Error(`nobody has said what ${path} is called`);
  return {
    title: head.title
      ? titleOf(t(head.title), t('app.name'))
      : `${t('app.name')} – ${t('app.tagline')}`,
    description: t(head.about),
    noscript: t('app.noscript'),
  };
}

export async function write(path: string, language: Language): Promise<Written> {
  await speak(language);
  standAt(path);
  const { body } = await render(App, { props: { first: await load(path) } });
  const used = new Set([...body.matchAll(/href="#([\w-]+)"/g)].map(([, id]) => id));
  const symbols = [...DRAWINGS.values()].filter(({ id }) => used.has(id)).map(symbolOf);
  return {
    // The content security policy allows no inline styles; the page adds them later.
    body: body.replace(/ style="[^"]*"/g, ''),
    symbols: symbols.join(''),
  };
}
