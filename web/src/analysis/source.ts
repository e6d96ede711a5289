/** Asks the server for an analysis and follows it until it is complete. */

import { request } from '../lib/api';
import type { AnalysisAnswer, AnalysisBody } from '../protocol';

const AT_ONCE = 3; // judged turns per answer, which contains the whole analysis

export type Game = Pick<AnalysisBody, 'table' | 'watch_key' | 'record'> & { deep?: boolean };

interface Following {
  onAnswer: (answer: AnalysisAnswer) => void;
  signal: AbortSignal; // aborts when nobody follows any more, with STOPPED if it is not wanted
}

export const STOPPED = 'stopped';

/** Follow an analysis; returns when it is done, failed or no longer followed. Throws ApiProblem. */
export async function follow(game: Game, { onAnswer, signal }: Following): Promise<void> {
  let answer = await request<AnalysisAnswer>('POST', '/api/analyses', game);
  if (signal.reason === STOPPED) await cancel(answer.key); // its key was not known before
  while (!signal.aborted) {
    onAnswer(answer);
    if (answer.state === 'done' || answer.state === 'failed') return;
    const after = answer.analysis ? Math.min(answer.judged + AT_ONCE, answer.turns) - 1 : -1;
    answer = await request<AnalysisAnswer>('GET', `/api/analyses/${answer.key}?after=${after}`);
  }
}

/** Stop waiting for an analysis. */
export async function cancel(key: string): Promise<void> {
  await request('DELETE', `/api/analyses/${key}`);
}
