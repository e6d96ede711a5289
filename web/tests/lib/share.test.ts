import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { speak } from '../../src/lib/i18n.svelte';
import { shareLink, sharesByDialog, shareWord } from '../../src/lib/share';

const PICTURE = new File(['png'], 'patrizier.png', { type: 'image/png' });
let shared: ShareData[] = [];
let written: string[] = [];

/** A device: with a finger or a mouse, and perhaps a dialog that takes files. */
function device({ coarse = true, files = true }): void {
  vi.stubGlobal('matchMedia', () => ({ matches: coarse }));
  vi.stubGlobal('navigator', {
    share: async (data: ShareData) => void shared.push(data),
    canShare: (data: ShareData) => files || !data.files,
    clipboard: { writeText: async (text: string) => void written.push(text) },
  });
}

beforeEach(async () => {
  await speak('en');
  shared = [];
  written = [];
});
afterEach(() => vi.unstubAllGlobals());

it('hands picture, words and link to the dialog of a telephone', async () => {
  device({});
  expect(await shareLink('/x', { text: 'Anna wins.', picture: PICTURE })).toBe(true);
  expect(shared).toEqual([{ url: '/x', title: 'Patrizier', text: 'Anna wins.', files: [PICTURE] }]);
  expect(written).toEqual([]);
});

it('leaves the picture out where the dialog takes none', async () => {
  device({ files: false });
  await shareLink('/x', { text: 'Anna wins.', picture: PICTURE });
  expect(shared).toEqual([{ url: '/x', title: 'Patrizier', text: 'Anna wins.' }]);
});

it('copies the link at a desk', async () => {
  device({ coarse: false });
  expect(await shareLink('/x', { text: 'Anna wins.', picture: PICTURE })).toBe(true);
  expect(written).toEqual(['/x']);
  expect(shared).toEqual([]);
});

it('says what its button does', () => {
  device({ coarse: false });
  expect([sharesByDialog(), shareWord(false), shareWord(true)]).toEqual([
    false,
    'Copy the link',
    'Copied',
  ]);
  device({});
  expect([sharesByDialog(), shareWord(false), shareWord(true)]).toEqual([true, 'Share…', 'Share…']);
});

it('says when nothing was shared', async () => {
  device({});
  navigator.share = () => Promise.reject(new DOMException('', 'AbortError'));
  expect(await shareLink('/x')).toBe(false);
});
