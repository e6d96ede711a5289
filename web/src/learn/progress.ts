/** Which scenes there are, which are done, and where to go on. */

import type { LessonName } from '../protocol';

export const SCENES: readonly LessonName[] = [
  'build',
  'complete',
  'tie',
  'free-draw',
  'move',
  'portraits',
  'double',
  'messenger',
];

export function isScene(name: string): name is LessonName {
  return (SCENES as readonly string[]).includes(name);
}

/** What was kept, cleaned: only scenes that there are, each once, in their order. */
export function doneOf(kept: unknown): LessonName[] {
  const names = Array.isArray(kept) ? kept : [];
  return SCENES.filter((name) => names.includes(name));
}

export function withDone(done: readonly LessonName[], name: LessonName): LessonName[] {
  return doneOf([...done, name]);
}

/** The scene to go on with: the one left in the middle, else the first undone; null: all are done. */
export function resumeAt(done: readonly LessonName[], at: unknown = null): LessonName | null {
  const undone = SCENES.filter((name) => !done.includes(name));
  return undone.find((name) => name === at) ?? undone[0] ?? null;
}

/** What follows a scene: the next one; after the last one whatever was left out, or the end. */
export function after(name: LessonName, done: readonly LessonName[]): LessonName | null {
  return SCENES[SCENES.indexOf(name) + 1] ?? resumeAt(done);
}

export function before(name: LessonName): LessonName | null {
  return SCENES[SCENES.indexOf(name) - 1] ?? null;
}
