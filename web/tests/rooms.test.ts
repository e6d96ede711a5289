import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';

/** Every room, and the rooms it may import from besides itself. All may import the protocol. */
const ROOMS: Record<string, readonly string[]> = {
  texts: [],
  lib: ['texts'],
  art: ['lib'],
  controls: ['art', 'lib'],
  turn: [],
  story: ['turn'],
  words: ['turn', 'art', 'lib'],
  deal: ['lib'],
  screen: ['story', 'turn', 'lib'],
  board: ['screen', 'words', 'story', 'turn', 'controls', 'art', 'lib'],
  desk: ['board', 'screen', 'words', 'turn', 'art', 'lib'],
  players: ['board', 'words', 'art', 'lib'],
  table: [
    'players',
    'desk',
    'board',
    'screen',
    'deal',
    'words',
    'story',
    'turn',
    'controls',
    'art',
    'lib',
  ],
  learn: ['desk', 'board', 'screen', 'deal', 'words', 'story', 'turn', 'controls', 'art', 'lib'],
  replay: [
    'players',
    'board',
    'screen',
    'deal',
    'words',
    'story',
    'turn',
    'controls',
    'art',
    'lib',
  ],
  pages: ['deal', 'words', 'turn', 'controls', 'art', 'lib'],
};

const SOURCE = join(import.meta.dirname, '../src');
const IMPORT = /(?:from |import\(|import )'(\.[^']+)'/g;

function filesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return filesIn(path);
    return /\.(ts|svelte)$/.test(name) ? [path] : [];
  });
}

function imports(file: string): string[] {
  const found = [...readFileSync(file, 'utf8').matchAll(IMPORT)];
  return found.map(([, path = '']) =>
    normalize(join(dirname(file), path)).slice(SOURCE.length + 1),
  );
}

it('names every room', () => {
  const folders = readdirSync(SOURCE).filter((name) => statSync(join(SOURCE, name)).isDirectory());
  expect(folders.sort()).toEqual(Object.keys(ROOMS).sort());
});

it.each(Object.entries(ROOMS))('%s imports only what stands below it', (room, below) => {
  const wrong = filesIn(join(SOURCE, room)).flatMap((file) =>
    imports(file)
      .filter((path) => ![room, ...below, 'protocol'].includes(path.split('/')[0] ?? ''))
      .map((path) => `${file.slice(SOURCE.length + 1)} imports ${path}`),
  );
  expect(wrong).toEqual([]);
});
