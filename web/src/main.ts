import '@fontsource-variable/eb-garamond/wght.css';
import '@fontsource-variable/inter/wght.css';
import { hydrate, mount } from 'svelte';
import './app.css';
import App from './App.svelte';
import { leaveFrozen } from './art/Frozen.svelte';
import { preferred, speak } from './lib/i18n.svelte';
import { follow, go, route } from './lib/router.svelte';
import { prefs } from './lib/settings.svelte';
import { load } from './routes';

const language = prefs.now.language ?? preferred(navigator.languages);
const target = document.getElementById('app');
if (!target) throw new Error('the page has no place for the game');
const written = target.hasChildNodes() && document.documentElement.lang === language;
follow();
const [first] = await Promise.all([
  load(route.path).catch(() => null), // App retries, and shows an error if that fails too
  speak(language),
]);
if (first && first.path !== route.path) go(first.path, { replace: true });
await new Promise((then) => setTimeout(then)); // what is loaded may be long: be responsive
const props = { first };

/** Hydrate the prerendered page; false if there is none, or it was changed. */
function goOn(target: Element): boolean {
  if (!written || !first) return false;
  try {
    leaveFrozen(() => hydrate(App, { target, props, recover: false }));
    return true;
  } catch {
    return false;
  }
}

if (!goOn(target)) {
  target.replaceChildren();
  mount(App, { target, props });
}
