/** Numbers beside a city's towers: how many floors each owner has. */

import { FLOOR, FOOT, SITE } from '../art/measures';
import type { Site } from '../turn/notation';

export interface Tally {
  seat: number;
  floor: number; // of this owner, the topmost
  count: number;
}

export interface Chip {
  site: Site;
  seat: number;
  count: number;
  x: number;
  y: number;
}

interface Towers {
  width: number; // of a site
  ground: number;
  left: number; // the middle of its site
  right: number;
}

/** What the leftmost numbers keep clear of: a messenger at the city's edge. */
export interface Obstacle {
  top: number;
  bottom: number;
}

const LEAST = 11.8; // px: letters are a little smaller, and can still be read
const APART = 1.24; // of a number's size, from middle to middle
const RADIUS = 0.6;
const OUT = SITE / 2 - 6; // from the middle of a tower to its edge, in units of a site

/** The size of the numbers beside towers. */
export function sizeOf(towers: Towers): number {
  return Math.max(LEAST, (12 * towers.width) / SITE);
}

/** Where the numbers stand: each as near to its floor as the others let it be, none on another.
 *
 * From top to bottom they alternate between the outer and the inner side of their tower. Where
 * the towers stand close, what is between them shares one column.
 */
export function placeTallies(
  towers: Towers,
  scale: number,
  tallies: Record<Site, readonly Tally[]>,
  obstacle: Obstacle | null = null,
): Chip[] {
  const unit = towers.width / SITE;
  const size = sizeOf(towers);
  const shared = towers.right - towers.left - 2 * OUT * unit < size * APART;
  const columns = new Map<string, Chip[]>();
  for (const site of ['L', 'R'] as const) {
    tallies[site].forEach(({ seat, floor, count }, index) => {
      const outer = index % 2 === 0;
      const way = outer === (site === 'L') ? -1 : 1;
      const column = outer ? site : shared ? 'between' : `between ${site}`;
      const chip = {
        site,
        seat,
        count,
        x: (site === 'L' ? towers.left : towers.right) + way * OUT * unit,
        y: towers.ground - (FOOT + (floor + 0.5) * FLOOR * scale) * unit,
      };
      columns.set(column, [...(columns.get(column) ?? []), chip]);
    });
  }
  const lowest = towers.ground - size * RADIUS;
  for (const [column, chips] of columns) {
    const ordered = [...chips].sort((one, two) => one.y - two.y);
    spread(ordered, size, lowest, column === 'L' ? obstacle : null);
  }
  return [...columns.values()].flat();
}

/** Move the numbers of a column down until none lies on another, and up where the ground is near. */
function spread(chips: Chip[], size: number, lowest: number, obstacle: Obstacle | null): void {
  let above = -Infinity;
  for (const chip of chips) {
    chip.y = Math.max(chip.y, above + size * APART);
    if (
      obstacle &&
      chip.y + size * RADIUS > obstacle.top &&
      chip.y - size * RADIUS < obstacle.bottom
    )
      chip.y = obstacle.bottom + size * RADIUS;
    above = chip.y;
  }
  let below = lowest + size * APART;
  for (const chip of [...chips].reverse()) {
    chip.y = Math.min(chip.y, below - size * APART);
    below = chip.y;
  }
}
