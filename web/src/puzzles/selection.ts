/** Which puzzle comes next: the puzzle of the day, and the next one for training.
 *
 * A puzzle is repeated only after every other eligible one has been done as often.
 */

import type { PuzzleLine } from '../protocol';

export type Theme = PuzzleLine['themes'][number];

export const THEMES: readonly Theme[] = [
  'ties',
  'special-action',
  'free-draw',
  'portraits',
  'messengers',
  'denying',
  'last-round',
  'endings',
];

/** The bands of ratings, named by their lowest rating; the first and the last are open-ended. */
export const BANDS = [1200, 1400, 1600, 1800] as const;
export type Band = (typeof BANDS)[number];

const DAY = 24 * 3600; // seconds

type Done = Readonly<Record<string, number>>; // how often, by puzzle

export function dayOf(seconds: number): number {
  return Math.floor(seconds / DAY);
}

/** The puzzle of a day; the list is in the order of the days. */
export function ofTheDay(puzzles: readonly PuzzleLine[], day: number): PuzzleLine | null {
  return puzzles[day % puzzles.length] ?? null;
}

export function bandOf(rating: number): Band {
  return [...BANDS].reverse().find((band) => rating >= band) ?? BANDS[0];
}

/** The puzzles of a theme; '' for all. */
export function about(puzzles: readonly PuzzleLine[], theme: Theme | ''): PuzzleLine[] {
  return theme ? puzzles.filter((each) => each.themes.includes(theme)) : [...puzzles];
}

/** A random one of the puzzles done least often, from the band nearest to a rating. */
export function next(
  puzzles: readonly PuzzleLine[],
  done: Done,
  rating: number,
  random: () => number = Math.random,
): PuzzleLine | null {
  const times = (each: PuzzleLine) => done[each.id] ?? 0;
  const fewest = Math.min(...puzzles.map(times));
  const left = puzzles.filter((each) => times(each) === fewest);
  const wanted = bandOf(rating);
  const away = (each: PuzzleLine) => Math.abs(bandOf(each.rating) - wanted);
  const nearest = Math.min(...left.map(away));
  const alike = left.filter((each) => away(each) === nearest);
  return alike[Math.floor(random() * alike.length)] ?? null;
}
