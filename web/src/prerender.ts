/** Pages written at build time: a browser shows them before it has read any script. */

import { render } from 'svelte/server';
import App from './App.svelte';
import { DRAWINGS, symbolOf } from './art/sprite';
import { speak, t, type Language } from './lib/i18n.svelte';
import { standAt } from './lib/router.svelte';
import { titleOf } from './lib/title';
import { load } from './routes';

const TITLES = {
  '/': null,
  '/tables': 'lobby.title',
  '/new': 'new.title',
  '/rules': 'rules.title',
  '/about': 'about.title',
} as const;

export interface Written {
  title: string;
  body: string;
  symbols: string; // of the drawings in it
}

export async function write(path: keyof typeof TITLES, language: Language): Promise<Written> {
  await speak(language);
  standAt(path);
  const { body } = await render(App, { props: { first: await load(path) } });
  const used = new Set([...body.matchAll(/href="#([\w-]+)"/g)].map(([, id]) => id));
  const symbols = [...DRAWINGS.values()].filter(({ id }) => used.has(id)).map(symbolOf);
  const key = TITLES[path];
  return {
    title: key ? titleOf(t(key), t('app.name')) : `${t('app.name')} – ${t('app.tagline')}`,
    // The server's content policy has no room for styles in tags; the page puts them in later.
    body: body.replace(/ style="[^"]*"/g, ''),
    symbols: symbols.join(''),
  };
}
