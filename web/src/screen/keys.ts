/** Arrow keys: move the focus between choices by their position on the screen. */

type Direction = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown';

export function isArrow(key: string): key is Direction {
  return key === 'ArrowLeft' || key === 'ArrowRight' || key === 'ArrowUp' || key === 'ArrowDown';
}

/** All visible choices. */
export function choicesOnScreen(root: ParentNode): (HTMLElement | SVGElement)[] {
  return [...root.querySelectorAll<HTMLElement | SVGElement>('[data-choice]')].filter(
    (each) => each.getBoundingClientRect().width > 0,
  );
}

export interface Point {
  x: number;
  y: number;
}

/** The nearest point in a direction, preferring those straight ahead; null if there is none. */
export function nearest(from: Point, points: readonly Point[], key: Direction): number | null {
  let best: number | null = null;
  let least = Infinity;
  points.forEach((point, index) => {
    const dx = point.x - from.x;
    const dy = point.y - from.y;
    const [ahead, aside] = {
      ArrowLeft: [-dx, dy],
      ArrowRight: [dx, dy],
      ArrowUp: [-dy, dx],
      ArrowDown: [dy, dx],
    }[key] as [number, number];
    if (ahead <= 1) return;
    const cost = ahead + 2.5 * Math.abs(aside);
    if (cost < least) [best, least] = [index, cost];
  });
  return best;
}

/** Move the focus to the next choice in a direction; to the first one if no choice has it. */
export function moveFocus(root: ParentNode, key: Direction): void {
  const choices = choicesOnScreen(root);
  const active = document.activeElement;
  if (!active || !choices.includes(active as HTMLElement)) {
    choices[0]?.focus();
    return;
  }
  const middle = (element: Element): Point => {
    const box = element.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const others = choices.filter((each) => each !== active);
  const index = nearest(middle(active), others.map(middle), key);
  if (index !== null) others[index]?.focus();
}

/** Move the focus to the next or previous tower, cyclically. */
export function nextTower(root: ParentNode, way: 1 | -1): void {
  const towers = [...root.querySelectorAll<SVGElement>('[data-site]')];
  const at = towers.findIndex((each) => each === document.activeElement);
  const first = way === 1 ? 0 : towers.length - 1;
  towers[at < 0 ? first : (at + way + towers.length) % towers.length]?.focus();
}
