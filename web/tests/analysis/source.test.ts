/** Following an analysis by requests; the server's answers are given here. */

import { afterEach, expect, it, vi } from 'vitest';

import { STOPPED, cancel, follow } from '../../src/analysis/source';
import type { AnalysisAnswer } from '../../src/protocol';

const waiting: AnalysisAnswer = {
  key: 'f00d-5',
  state: 'waiting',
  judged: 0,
  turns: 48,
  ahead: 0,
  deeper: null,
  analysis: null,
};

let asked: string[] = [];

/** Answer requests one after the other; `me` is answered beside them. */
function answering(...answers: (AnalysisAnswer | null)[]): void {
  asked = [];
  vi.stubGlobal('fetch', (path: string, { method }: RequestInit) => {
    if (path === '/api/me') return Promise.resolve(Response.json({ token: 't' }));
    asked.push(`${method} ${path}`);
    const next = answers.shift();
    return Promise.resolve(next ? Response.json(next) : new Response(null, { status: 204 }));
  });
}

afterEach(() => vi.unstubAllGlobals());

it('follows an analysis until it is done', async () => {
  answering(waiting, { ...waiting, state: 'running' }, { ...waiting, state: 'done', judged: 48 });
  const seen: string[] = [];
  const onAnswer = (answer: AnalysisAnswer) => seen.push(answer.state);
  await follow({ table: 'a' }, { onAnswer, signal: new AbortController().signal });
  expect(seen).toEqual(['waiting', 'running', 'done']);
  expect(asked[1]).toBe('GET /api/analyses/f00d-5?after=-1');
});

it('leaves an analysis running that nobody looks at any more', async () => {
  answering(waiting);
  const watching = new AbortController();
  const following = follow({ table: 'a' }, { onAnswer: () => {}, signal: watching.signal });
  watching.abort();
  await following;
  expect(asked).toEqual(['POST /api/analyses']);
});

it('cancels what was stopped before the server had told its key', async () => {
  answering(waiting, null);
  const watching = new AbortController();
  const following = follow({ table: 'a' }, { onAnswer: () => {}, signal: watching.signal });
  watching.abort(STOPPED);
  await following;
  expect(asked).toEqual(['POST /api/analyses', 'DELETE /api/analyses/f00d-5']);
});

it('cancels any analysis by its key, wherever it was asked for', async () => {
  answering(null);
  await cancel('cafe-5');
  expect(asked).toEqual(['DELETE /api/analyses/cafe-5']);
});
