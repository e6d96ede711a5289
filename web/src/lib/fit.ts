/** Words whose length nobody knows beforehand, in a place whose size must not change. */

import type { Attachment } from 'svelte/attachments';

const LEAST = 0.5; // of the usual size; styles set a floor in pixels
const STEP = 0.04;

/** Write what stands in a place smaller, by `--fit`, until all of it can be seen. */
export const fit: Attachment<HTMLElement> = (place) => {
  const adjust = () => {
    let share = 1;
    const write = () => place.style.setProperty('--fit', share.toFixed(2));
    write();
    place.removeAttribute('data-tight');
    while (share > LEAST && place.scrollHeight > place.clientHeight + 1) {
      share -= STEP;
      write();
    }
    // too much even so: styles may then take room from what is around
    place.toggleAttribute('data-tight', place.scrollHeight > place.clientHeight + 1);
  };
  adjust();
  void document.fonts.ready.then(adjust);
  const words = new MutationObserver(adjust); // called before they are drawn
  words.observe(place, { childList: true, characterData: true, subtree: true });
  const room = new ResizeObserver(adjust); // of what is around: the place itself follows its words
  if (place.parentElement) room.observe(place.parentElement);
  return () => {
    words.disconnect();
    room.disconnect();
  };
};
