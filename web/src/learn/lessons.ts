/** The server's lessons. The start of a scene never changes, so it is fetched once. */

import { request } from '../lib/api';
import type { LessonAnswer, LessonBody, LessonName } from '../protocol';

const beginnings = new Map<LessonName, LessonAnswer>();

export async function play(name: LessonName, body: LessonBody): Promise<LessonAnswer> {
  if (body.moves || body.decisions)
    return request<LessonAnswer>('POST', `/api/lessons/${name}/play`, body);
  const answer = await request<LessonAnswer>('GET', `/api/lessons/${name}`);
  beginnings.set(name, answer);
  return answer;
}

export function beginning(name: LessonName): LessonAnswer | null {
  return beginnings.get(name) ?? null;
}

/** Prefetch the start of a scene. */
export function prepare(name: LessonName | null): void {
  if (name && !beginnings.has(name)) void play(name, {}).catch(() => {});
}
