/** The server's lessons. Where a scene begins never changes, so it is asked for once. */

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

/** Fetch a scene's beginning in good time, so that nobody waits for it. */
export function prepare(name: LessonName | null): void {
  if (name && !beginnings.has(name)) void play(name, {}).catch(() => {});
}
