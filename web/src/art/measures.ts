/** The measures of a tower, in units of which its site is 84 wide. */

export const SITE = 84;
export const FOOT = 7; // of the site that shows below the floors
export const FLOOR = 15;
export const ROOF = 22; // with the ledge of the topmost floor
export const PENNANT = 10; // above the roof of a finished tower

const FLATTEST = 0.3;
const HIGHEST = 1.9; // a floor grows no higher than that, however much room there is

interface Built {
  floors: number;
  roofed: boolean;
  complete: boolean; // a pennant flies from the roof
}

/** How high floors and roof are drawn, 1 being their own measure, so that a tower fills its room. */
export function scaleToFit(width: number, height: number, built: Built): number {
  const room = (height * SITE) / width - FOOT - (built.complete ? PENNANT : 0);
  const natural = Math.max(1, built.floors) * FLOOR + (built.roofed ? ROOF : 4);
  return Math.max(FLATTEST, Math.min(HIGHEST, room / natural));
}
