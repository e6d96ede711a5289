import { svelte } from '@sveltejs/vite-plugin-svelte';
import { VitePWA } from 'vite-plugin-pwa';
import { defineConfig } from 'vitest/config';
import { smallFonts } from './plugins/fonts.ts';
import { addWorkerLicences } from './plugins/licences.ts';
import { pressAssets } from './plugins/pressed.ts';
import { readTexts } from './plugins/texts.ts';
import { writePages } from './plugins/written.ts';

const SERVER = process.env.PATRIZIER_SERVER ?? 'http://127.0.0.1:8321';
const SHARED = /src\/(art|controls|lib|pages)\/|patrizier\/art\/|node_modules\/svelte\//;
/** Of replays, analyses, puzzles and the ends of games. */
const RECORDS = new RegExp(
  [
    'src/(analysis|lines|puzzles)/',
    'src/deal/(DealCheck|check)',
    'src/players/(Curve|Line|Standing|curve)',
    'src/screen/(Heading|Opening|Side|address|steps)',
    'src/words/(moments|reasons)',
    'node_modules/@noble/',
  ].join('|'),
);
/** Loaded when somebody asks for it. */
const RARE = /src\/controls\/(QrCode|SettingsForm)|node_modules\/uqr\//;

export default defineConfig({
  plugins: [
    smallFonts(),
    readTexts(),
    svelte(),
    writePages(),
    pressAssets(),
    VitePWA({
      registerType: 'autoUpdate',
      injectRegister: 'script-defer', // a separate file: the content security policy allows no inline scripts
      manifest: {
        name: 'Patrizier',
        short_name: 'Patrizier',
        description: 'Build towers in the cities of Italy.',
        theme_color: '#f3e9da',
        background_color: '#f3e9da',
        display: 'standalone',
        start_url: '/',
        icons: [
          { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
          { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
          { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any maskable' },
        ],
      },
      workbox: {
        globPatterns: ['*.html', '**/*.{js,css,woff2,svg,png}'],
        globIgnores: ['**/*-{cyrillic,greek,vietnamese}*'], // fonts that our languages do not need
        runtimeCaching: [
          // Puzzles work without a connection once they are loaded.
          {
            urlPattern: /\/api\/puzzles\/chunks\//,
            handler: 'CacheFirst',
            options: { cacheName: 'puzzle-chunks', expiration: { maxEntries: 100 } },
          },
          {
            urlPattern: /\/api\/puzzles$/,
            handler: 'NetworkFirst',
            options: { cacheName: 'puzzles', networkTimeoutSeconds: 5 },
          },
        ],
        navigateFallback: '/index.html',
        navigateFallbackDenylist: [
          /^\/api\//,
          /^\/docs/,
          /^\/licences/,
          /^\/mail\//,
          /^\/healthz/,
          /^\/readyz/,
          /^\/metrics/,
        ],
      },
    }),
    addWorkerLicences(),
  ],
  resolve: {
    alias: [
      {
        find: /^@formatjs\/icu-messageformat-parser$/,
        replacement: '@formatjs/icu-messageformat-parser/no-parser.js',
      },
    ],
  },
  build: {
    outDir: '../src/patrizier/server/static',
    emptyOutDir: true,
    license: { fileName: 'licences.txt' }, // of all that is in the page, fonts included; plugins/licences.ts adds to it
    assetsInlineLimit: 0, // the content security policy forbids data: fonts
    target: 'es2022',
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          // One chunk for modules shared by pages, one for those shared by games, one for those that
          // a table does not need before its end: a dozen small ones take longer.
          groups: [
            {
              name: 'shared',
              test: (id) => SHARED.test(id) && !RARE.test(id),
              minShareCount: 2,
              priority: 2,
            },
            {
              name: 'game',
              test: (id) => !RECORDS.test(id) && !RARE.test(id),
              minShareCount: 2,
              priority: 1,
            },
            { name: 'records', test: RECORDS, minShareCount: 2 },
          ],
        },
      },
    },
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'], // support light-dark()
  },
  server: {
    fs: { allow: ['..'] },
    proxy: { '/api': { target: SERVER, ws: true }, '/docs': SERVER },
  },
  test: {
    // `*.engine.ts` need games from the engine: tests/page runs them.
    include: [process.env.PATRIZIER_GAMES ? 'tests/**/*.engine.ts' : 'tests/**/*.test.ts'],
    isolate: false,
    testTimeout: 120_000, // only for tests that hang; a busy machine may be slow
  },
});
