/** All scenes, which of them are done, and where to continue. */

import type { LessonName } from '../protocol';

export const SCENES: readonly LessonName[] = [
  'build',
  'complete',
  'tie',
  'empty-site',
  'free-draw',
  'move',
  'portraits',
  'double',
  'last-cards',
  'messenger',
];

export function isScene(name: string): name is LessonName {
  return (SCENES as readonly string[]).includes(name);
}

/** The stored progress, cleaned: only existing scenes, each once, in order. */
export function doneOf(kept: unknown): LessonName[] {
  const names = Array.isArray(kept) ? kept : [];
  return SCENES.filter((name) => names.includes(name));
}

export function withDone(done: readonly LessonName[], name: LessonName): LessonName[] {
  return doneOf([...done, name]);
}

/** The scene to continue with: an interrupted one, else the first undone; null: all are done. */
export function resumeAt(done: readonly LessonName[], at: unknown = null): LessonName | null {
  const undone = SCENES.filter((name) => !done.includes(name));
  return undone.find((name) => name === at) ?? undone[0] ?? null;
}

/** The scene after this one; after the last, a skipped one, or the end. */
export function after(name: LessonName, done: readonly LessonName[]): LessonName | null {
  return SCENES[SCENES.indexOf(name) + 1] ?? resumeAt(done);
}

export function before(name: LessonName): LessonName | null {
  return SCENES[SCENES.indexOf(name) - 1] ?? null;
}
