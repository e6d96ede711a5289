import { expect, test } from 'vitest';
import { linkKey, pictureOf, replayOf } from '../../src/ending/links';
import type { TableMessage } from '../../src/protocol';

const game = (watch: string, watch_key: string | null, role = 'player') =>
  ({ setup: { watch }, you: { watch_key, role } }) as unknown as TableMessage;

test('the owner of a game shares the key to it', () => {
  expect(linkKey(game('link', 'k3y'), '')).toBe('k3y');
  expect(linkKey(game('everyone', 'k3y'), '')).toBe('');
  expect(linkKey(game('nobody', null), '')).toBeNull();
  expect(linkKey(game('nobody', 'k3y'), '')).toBe('k3y'); // against bots, when it is over
});

test('who was given a key may pass it on', () => {
  expect(linkKey(game('link', null, 'watcher'), 'given')).toBe('given');
  expect(linkKey(game('nobody', null, 'watcher'), 'given')).toBe('given');
  expect(linkKey(game('link', null, 'outsider'), 'wrong')).toBeNull();
  expect(linkKey(null, 'given')).toBeNull();
});

test('links carry their language and their key', () => {
  expect(replayOf('T4ble', 'k+y', 'de')).toBe('/replay/T4ble?key=k%2By&lang=de');
  expect(pictureOf('T4ble', '', 'it')).toBe('/api/tables/T4ble/picture?lang=it');
});
