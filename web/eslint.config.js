/** Import contracts of the page. Types are checked by svelte-check, formatting by Prettier. */

import tsParser from '@typescript-eslint/parser';
import boundaries from 'eslint-plugin-boundaries';
import svelteParser from 'svelte-eslint-parser';

/** Every room, and the rooms it may import from besides itself. All may import the protocol. */
const ROOMS = {
  texts: [],
  lib: ['texts'],
  art: ['lib'],
  controls: ['art', 'lib'],
  frame: ['lib'],
  turn: [], // the turn being put together: no drawing, no texts
  story: ['turn'],
  words: ['turn', 'art', 'lib'],
  deal: ['lib'],
  screen: ['frame', 'story', 'turn', 'lib'],
  lines: ['story', 'turn', 'lib'],
  board: ['screen', 'words', 'story', 'turn', 'controls', 'art', 'lib'],
  desk: ['board', 'screen', 'words', 'turn', 'controls', 'art', 'lib'],
  players: ['board', 'words', 'controls', 'art', 'lib'],
  ending: ['players', 'deal', 'words', 'story', 'controls', 'art', 'lib'],
};
const PARTS = Object.keys(ROOMS).filter((room) => room !== 'texts');
const SHARED = ['deal', 'words', 'turn', 'controls', 'art', 'lib'];

/** Screens and pages. None imports another, except the front page, which also creates tables. */
const SCREENS = {
  table: PARTS,
  learn: PARTS,
  replay: PARTS,
  analysis: PARTS,
  whatif: PARTS,
  puzzles: PARTS,
  pages: SHARED,
  'pages/new': ['pages', ...SHARED],
  'pages/front': ['pages/new', 'pages', ...SHARED],
  'pages/lobby': ['pages', ...SHARED],
  'pages/friends': ['pages', ...SHARED],
  'pages/ratings': ['pages', ...SHARED],
  'pages/profile': ['pages', ...SHARED],
  'pages/rules': ['pages', ...SHARED],
};

/** The files beside the rooms: entries start the application, which loads screens by its routes. */
const BESIDE = {
  entry: {
    files: ['src/main.ts', 'src/prerender.ts'],
    beside: ['app', 'routes', 'style'],
    below: ['art', 'lib'],
  },
  app: { files: ['src/App.svelte'], beside: ['routes'], below: ['frame', 'art', 'lib'] },
  routes: { files: ['src/routes.ts'], beside: [], below: Object.keys(SCREENS) },
  style: { files: ['src/app.css'], beside: [], below: [] },
  protocol: { files: ['src/protocol.ts'], beside: [], below: [] },
};

const ALLOWED = { ...ROOMS, ...SCREENS };
const DEEPEST_FIRST = Object.keys(ALLOWED).sort().reverse();

export default [
  {
    files: ['src/**/*.ts', 'src/**/*.svelte'],
    languageOptions: { parser: tsParser },
    plugins: { boundaries },
    settings: {
      'boundaries/include': ['src/**/*'],
      'boundaries/files': Object.entries(BESIDE).flatMap(([category, { files }]) =>
        files.map((pattern) => ({ category, pattern })),
      ),
      'boundaries/elements': DEEPEST_FIRST.map((room) => ({ type: room, pattern: `src/${room}` })),
      'import/resolver': { node: { extensions: ['.ts', '.svelte'] } },
    },
    rules: {
      'boundaries/no-unknown-files': 'error', // a new room has to be named here
      'boundaries/no-unknown-dependencies': 'error',
      'boundaries/dependencies': [
        'error',
        {
          default: 'disallow',
          policies: [
            { allow: { to: { file: { categories: 'protocol' } } } },
            ...Object.entries(ALLOWED).map(([room, below]) => ({
              from: { element: { type: room } },
              allow: { to: { element: { types: { anyOf: [room, ...below] } } } },
            })),
            ...Object.entries(BESIDE).flatMap(([category, { beside, below }]) => [
              {
                from: { file: { categories: category } },
                allow: { to: { element: { types: { anyOf: below } } } },
              },
              {
                from: { file: { categories: category } },
                allow: { to: { file: { categories: { anyOf: beside } } } },
              },
            ]),
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.svelte'],
    languageOptions: { parser: svelteParser, parserOptions: { parser: tsParser } },
  },
];
