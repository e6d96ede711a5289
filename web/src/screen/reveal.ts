/** Scrolls something into view on a page that is partly covered. */

interface Span {
  top: number;
  bottom: number;
}

const MARGIN = 8; // pixels

/** How far to scroll until a box lies within the free area; 0 if it does. */
export function scrollTo(box: Span, room: Span): number {
  if (box.top >= room.top && box.bottom <= room.bottom) return 0;
  const fits = box.bottom - box.top + 2 * MARGIN <= room.bottom - room.top;
  if (box.top < room.top || !fits) return box.top - room.top - MARGIN;
  return box.bottom - room.bottom + MARGIN;
}

/** If none of these elements is visible, scroll until one is. */
export function reveal(found: readonly Element[], room: Span): void {
  const ways = found.map((each) => scrollTo(each.getBoundingClientRect(), room));
  const [first = 0] = ways;
  if (ways.includes(0)) return;
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  window.scrollBy({ top: first, behavior: calm ? 'instant' : 'smooth' });
}
