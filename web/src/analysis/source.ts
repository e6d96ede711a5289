/** Asks the server for an analysis and follows it until it is complete. */

import { request } from '../lib/api';
import { keep, kept } from '../lib/settings.svelte';
import type { AnalysisAnswer, AnalysisBody } from '../protocol';

const KEY = 'analysing'; // of the analysis that was asked for last
const AT_ONCE = 3; // judged turns per answer, which contains the whole analysis

export type Game = Pick<AnalysisBody, 'table' | 'watch_key' | 'record'> & { deep?: boolean };

interface Following {
  onAnswer: (answer: AnalysisAnswer) => void;
  signal: AbortSignal; // aborts when nobody follows any more
}

/** Follow an analysis; returns when it is done, failed or no longer followed. Throws ApiProblem. */
export async function follow(game: Game, { onAnswer, signal }: Following): Promise<void> {
  let answer = await request<AnalysisAnswer>('POST', '/api/analyses', game);
  keep(KEY, answer.key);
  while (!signal.aborted) {
    onAnswer(answer);
    if (answer.state === 'done' || answer.state === 'failed') return;
    const after = answer.analysis ? Math.min(answer.judged + AT_ONCE, answer.turns) - 1 : -1;
    answer = await request<AnalysisAnswer>('GET', `/api/analyses/${answer.key}?after=${after}`);
  }
}

/** Cancel an analysis that was asked for here; without a key, the last one. */
export async function cancel(key: string | null = kept<string>(KEY)): Promise<void> {
  if (key === null) return;
  await request('DELETE', `/api/analyses/${key}`);
  keep(KEY, null);
}
