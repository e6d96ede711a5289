/** Small positions for tests: just what a scene needs. */

import type { LessonAnswer, LessonGoal, LessonName, View, ViewRecord } from '../../src/protocol';
import { city } from '../turn/table';

export { city };

export function view(more: Partial<View> = {}): View {
  const heads = { L: 0, B: 0, K: 0 };
  const seat = {
    supply: 39,
    messengers_left: 2 as const,
    hand: [],
    secret: [],
    unknown: 3 as const,
    pile: [],
    top: null,
    heads,
    tokens: [],
    chips: 0,
  };
  const table = { tokens_won: 0, tokens: [], chips: 0, pile_size: 0, pile: [], top: null };
  return {
    version: 1,
    rules_version: 1,
    players: 2,
    rules: [],
    colours: ['black', 'white'],
    deck: { name: 'classic', cards: { PA4: 'K*', PA1: '2', FI3: '>', MI3: '?', BO5: 'B*' } },
    viewer: 0,
    start: 0,
    turn: 4,
    turns: 48,
    seat: 0,
    phase: 'build',
    pending: null,
    cities: [city('MI', { card: 'BO5' }), city('PA', { card: 'FI3' })],
    messengers: [],
    bonuses: {},
    seats: [
      { ...seat, seat: 0, colour: 'black', hand: ['PA4', 'MI3'] },
      { ...seat, seat: 1, colour: 'white' },
    ],
    table: [
      { ...table, seat: 0 },
      { ...table, seat: 1 },
    ],
    sums: {
      tokens: 0,
      chips: 0,
      sets: 0,
      minus: 0,
      total: 0,
      portraits: [
        { noble: 'L', heads: 0, points: 0, missing: 3 },
        { noble: 'B', heads: 0, points: 0, missing: 3 },
        { noble: 'K', heads: 0, points: 0, missing: 3 },
      ],
    },
    pile_left: 20,
    unseen: [],
    legal: ['PA4:L', 'PA4:R', 'MI3:L+MI', 'MI3:L+PA'],
    history: [],
    outcome: null,
    ...more,
  };
}

export function goal(kind: LessonName, more: Partial<LessonGoal> = {}): LessonGoal {
  return { kind, card: null, city: null, pair: null, ...more };
}

export function record(move: string, more: Partial<ViewRecord> = {}): ViewRecord {
  return { turn: 5, seat: 0, move, drawn: null, refill: null, scored: null, ...more };
}

export function answer(more: Partial<LessonAnswer> = {}): LessonAnswer {
  return {
    name: 'complete',
    goal: goal('complete', { card: 'PA4', city: 'PA' }),
    view: view(),
    seat: 0,
    done: false,
    reached: false,
    why: '',
    record: null,
    standings: {},
    prospects: null,
    barred: {},
    ...more,
  };
}
