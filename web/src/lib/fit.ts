/** Fits text of any length into a box of fixed size. */

import type { Attachment } from 'svelte/attachments';

const SIZES = 14;
const STEP = 0.04;

/** The largest of `count` sizes, by number from the largest on, that fits; else the smallest. */
export function firstThatFits(count: number, fits: (size: number) => boolean): number {
  if (fits(0)) return 0; // mostly: nothing else is tried
  let [small, large] = [count - 1, 0];
  while (small - large > 1) {
    const middle = (small + large) >> 1;
    if (fits(middle)) small = middle;
    else large = middle;
  }
  return small;
}

/** Shrink the text in a box, through `--fit`, until all of it is visible. */
export const fit: Attachment<HTMLElement> = (place) => {
  const write = (size: number) => place.style.setProperty('--fit', (1 - size * STEP).toFixed(2));
  const isFull = () => place.scrollHeight > place.clientHeight + 1;
  const adjust = () => {
    place.removeAttribute('data-tight');
    const size = firstThatFits(SIZES, (each) => {
      write(each);
      return !isFull();
    });
    if (!size) return;
    write(size);
    // still too long: styles may now take room from the surroundings
    if (size === SIZES - 1) place.toggleAttribute('data-tight', isFull());
  };
  write(0); // measured after layout: measuring now would force a reflow
  if (document.fonts.status !== 'loaded') void document.fonts.ready.then(adjust);
  const words = new MutationObserver(adjust); // called before they are drawn
  words.observe(place, { childList: true, characterData: true, subtree: true });
  const room = new ResizeObserver(adjust); // of what is around: the place itself follows its words
  if (place.parentElement) room.observe(place.parentElement);
  return () => {
    words.disconnect();
    room.disconnect();
  };
};
