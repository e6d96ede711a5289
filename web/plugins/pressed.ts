/** Writes a Brotli-compressed copy of every script and style. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'vite';

export function pressAssets(): Plugin {
  return {
    name: 'patrizier-pressed',
    apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    writeBundle({ dir }) {
      if (!dir) return;
      const assets = join(dir, 'assets');
      for (const name of readdirSync(assets).filter((each) => /\.(js|css)$/.test(each))) {
        const file = join(assets, name);
        writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
      }
    },
  };
}
