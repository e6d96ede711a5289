import '@fontsource-variable/eb-garamond/wght.css';
import '@fontsource-variable/inter/wght.css';
import { mount } from 'svelte';
import './app.css';
import App from './App.svelte';
import { preferred, speak } from './lib/i18n.svelte';
import { prefs } from './lib/settings.svelte';
import { find } from './routes';

find(location.pathname)
  .load()
  .catch(() => {}); // ahead of time; App asks again, and tells if it cannot be had
await speak(prefs.now.language ?? preferred(navigator.languages));
const target = document.getElementById('app');
if (!target) throw new Error('the page has no place for the game');
mount(App, { target });
