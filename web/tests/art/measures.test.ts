import { describe, expect, it } from 'vitest';
import { FLOOR, FOOT, PENNANT, ROOF, scaleToFit, SITE } from '../../src/art/measures';

const built = (floors: number, complete = false) => ({ floors, roofed: true, complete });

describe('the height of floors', () => {
  it('lets a finished tower of nine fill its room', () => {
    const scale = scaleToFit(40, 80, built(9, true));
    const units = FOOT + (9 * FLOOR + ROOF) * scale + PENNANT;
    expect((units * 40) / SITE).toBeCloseTo(80);
  });

  it('grows with the room, up to a measure', () => {
    expect(scaleToFit(40, 60, built(5))).toBeLessThan(scaleToFit(40, 70, built(5)));
    expect(scaleToFit(40, 1000, built(5))).toBe(scaleToFit(40, 2000, built(5)));
  });
});
