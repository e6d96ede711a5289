/** Bringing something into view where the page scrolls under what lies on top of it. */

export interface Span {
  top: number;
  bottom: number;
}

const MARGIN = 8; // pixels

/** How far the page has to scroll until a box lies within the room; 0 if it does. */
export function scrollTo(box: Span, room: Span): number {
  if (box.top >= room.top && box.bottom <= room.bottom) return 0;
  const fits = box.bottom - box.top + 2 * MARGIN <= room.bottom - room.top;
  if (box.top < room.top || !fits) return box.top - room.top - MARGIN;
  return box.bottom - room.bottom + MARGIN;
}

/** Scroll until one of several things is to be seen, if none of them is. */
export function reveal(found: readonly Element[], room: Span): void {
  const ways = found.map((each) => scrollTo(each.getBoundingClientRect(), room));
  const [first = 0] = ways;
  if (ways.includes(0)) return;
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  window.scrollBy({ top: first, behavior: calm ? 'instant' : 'smooth' });
}
