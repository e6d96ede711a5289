import { describe, expect, it } from 'vitest';
import { graphOf, positionAt } from '../../src/replay/points';

const points = (total: number) => ({ total });

describe('the graph', () => {
  it('goes from the first position to the last, in every line', () => {
    const graph = graphOf([
      [points(0), points(0)],
      [points(5), points(0)],
      [points(5), points(20)],
    ]);
    expect(graph.most).toBe(20);
    expect(graph.marks).toEqual([10, 20]);
    expect(graph.steps[0]).toEqual([
      { x: 0, y: 0 },
      { x: 0.5, y: 0.25 },
      { x: 1, y: 0.25 },
    ]);
    expect(graph.steps[1]?.at(-1)).toEqual({ x: 1, y: 1 });
  });

  it('never goes below its ground, and has one without any points', () => {
    expect(graphOf([[points(-3)]])).toEqual({ most: 10, marks: [10], steps: [[{ x: 0, y: 0 }]] });
  });

  it('has fewer marks where there are many points', () => {
    expect(graphOf([[points(0)], [points(71)]]).marks).toEqual([20, 40, 60, 80]);
  });

  it('finds the position under a pointer', () => {
    expect(positionAt(0.5, 49)).toBe(24);
    expect(positionAt(-0.2, 49)).toBe(0);
    expect(positionAt(1.3, 49)).toBe(48);
  });
});
