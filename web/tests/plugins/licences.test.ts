import { expect, test } from 'vitest';
import { librariesOf } from '../../plugins/licences';

const PACKAGES: Record<string, string[]> = {
  'workbox-core': [],
  'workbox-expiration': ['idb', 'workbox-core'],
  'workbox-routing': ['workbox-core'],
  idb: [],
};

test('a worker has the libraries that it names, and those that they need', () => {
  const read = (name: string) => ({
    version: '1.0.0',
    license: 'MIT',
    dependencies: Object.fromEntries((PACKAGES[name] ?? []).map((each) => [each, '^1.0.0'])),
  });
  const worker = 'try{self["workbox:expiration:7.4.0"]&&_()}catch(t){}';
  expect(librariesOf(worker, read)).toEqual(['idb', 'workbox-core', 'workbox-expiration']);
  expect(librariesOf('addEventListener("fetch", answer)', read)).toEqual([]);
});
