/** Adds the libraries of the service worker, which is bundled apart, to the licences of what is in the page. */

import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';

interface Manifest {
  version: string;
  license: string;
  dependencies?: Record<string, string>;
}

const LIST = 'licences.txt'; // as `build.license` has written it

/** The packages that a worker names in its code, and those that they need. */
export function librariesOf(worker: string, read: (name: string) => Manifest): string[] {
  const found = new Set<string>();
  const add = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    Object.keys(read(name).dependencies ?? {}).forEach(add);
  };
  for (const [, part] of worker.matchAll(/"workbox:([a-z-]+):/g)) add(`workbox-${part}`);
  return [...found].sort();
}

export function addWorkerLicences(): Plugin {
  let packages = '';
  let out = '';
  const read = (name: string): Manifest =>
    JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf-8')) as Manifest;
  const section = (name: string): string => {
    const { version, license } = read(name);
    const text = readFileSync(join(packages, name, 'LICENSE'), 'utf-8').trim();
    return `\n## ${name} - ${version} (${license})\n\n${text}\n`;
  };
  return {
    name: 'patrizier-licences',
    enforce: 'post',
    apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    configResolved({ root, build }) {
      packages = join(root, 'node_modules');
      out = resolve(root, build.outDir);
    },
    closeBundle: {
      order: 'post',
      sequential: true, // the worker is written when the bundle is closed, too
      handler() {
        const scripts = readdirSync(out).filter((name) => /^workbox-.*\.js$/.test(name));
        const worker = scripts.map((name) => readFileSync(join(out, name), 'utf-8')).join('\n');
        const names = librariesOf(worker, read);
        if (!names.length) throw new Error('the service worker names no libraries');
        appendFileSync(join(out, LIST), names.map(section).join(''));
      },
    },
  };
}
