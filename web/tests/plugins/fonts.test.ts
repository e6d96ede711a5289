import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { characters, smallFiles } from '../../plugins/fonts';

test('a unicode range is all its characters', () => {
  expect(characters('U+0041-0043, U+20AC')).toBe('ABC€');
});

test('style sheets and the document are led to smaller files of the same name', async () => {
  const fonts = join(import.meta.dirname, '../../node_modules/@fontsource-variable');
  for (const { find, replacement } of await smallFiles()) {
    const name = replacement.split('/').at(-1) ?? '';
    const family = name.replace('-latin-wght-normal.woff2', '');
    expect(`./files/${name}`).toMatch(find);
    expect(`./files/${name.replace('latin', 'latin-ext')}`).not.toMatch(find);
    const full = statSync(join(fonts, family, 'files', name)).size;
    const small = readFileSync(replacement);
    expect(small.subarray(0, 4).toString()).toBe('wOF2');
    expect(small.length).toBeLessThan(0.9 * full);
  }
});
