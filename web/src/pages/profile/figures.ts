/** Curves of a person's games: points over time, evened out. */

interface Dot {
  x: number; // from 0 to 1
  y: number; // from 0 to 1, upwards
}

const WINDOW = 5; // games of which a point of the line is the mean

/** The points of every game, and the mean of the last few as a line, within the same bounds. */
export function curveOf(points: readonly number[]): { dots: Dot[]; line: Dot[]; most: number } {
  const most = Math.max(10, 10 * Math.ceil(Math.max(0, ...points) / 10));
  const place = (value: number, at: number): Dot => ({
    x: points.length > 1 ? at / (points.length - 1) : 0.5,
    y: Math.max(0, value) / most,
  });
  return {
    dots: points.map(place),
    line: points.map((_, at) => {
      const last = points.slice(Math.max(0, at - WINDOW + 1), at + 1);
      return place(last.reduce((sum, each) => sum + each, 0) / last.length, at);
    }),
    most,
  };
}
