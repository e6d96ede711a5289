import { svelte } from '@sveltejs/vite-plugin-svelte';
import { VitePWA } from 'vite-plugin-pwa';
import { defineConfig } from 'vitest/config';

const SERVER = process.env.PATRIZIER_SERVER ?? 'http://127.0.0.1:8321';

export default defineConfig({
  plugins: [
    svelte(),
    VitePWA({
      registerType: 'autoUpdate',
      injectRegister: 'script-defer', // a file of its own: the page allows no scripts within it
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
        globPatterns: ['**/*.{html,js,css,woff2,svg,png}'],
        globIgnores: ['**/*-{cyrillic,greek,vietnamese}*'], // fonts that our languages do not need
        navigateFallback: '/index.html',
        navigateFallbackDenylist: [
          /^\/api\//,
          /^\/docs/,
          /^\/mail\//,
          /^\/healthz/,
          /^\/readyz/,
          /^\/metrics/,
        ],
      },
    }),
  ],
  build: {
    outDir: '../src/patrizier/server/static',
    emptyOutDir: true,
    assetsInlineLimit: 0, // the server's content policy has no room for data: fonts
    target: 'es2022',
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What most pages share comes in one file: a dozen small ones take longer.
          groups: [
            { name: 'shared', test: /src\/(art|lib|play|patrizier\/art)\//, minShareCount: 2 },
          ],
        },
      },
    },
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'], // they know light-dark()
  },
  server: {
    fs: { allow: ['..'] },
    proxy: { '/api': { target: SERVER, ws: true } },
  },
  test: { include: ['tests/**/*.test.ts'], isolate: false },
});
