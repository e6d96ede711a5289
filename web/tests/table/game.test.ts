import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { prefer } from '../../src/lib/settings.svelte';
import { TableGame } from '../../src/table/game.svelte';
import type { TableMessage, TurnEntry, View } from '../../src/protocol';
import { browser } from '../browser';
import { city, record, view } from '../learn/positions';

const SEATS = 3;

/** The table after so many turns: seat 0 is mine and begins, everybody builds in Parma. */
function at(turn: number, log: TurnEntry[] = [], more: Partial<View> = {}): TableMessage {
  const left = Array.from({ length: turn }, (_, index) => (index % SEATS) as 0);
  const cities = [city('PA', { left })];
  const seat = (turn % SEATS) as 0;
  return {
    phase: 'playing',
    seq: turn + 1,
    turn,
    step: 0,
    you: { role: 'player', seats: [0], to_move: seat === 0 ? 0 : null },
    seats: Array.from({ length: SEATS }, (_, each) => ({ seat: each, you: each === 0 })),
    views: [{ seat: 0, view: view({ turn, seat, cities, ...more }), standings: {} }],
    log,
    round_ago: null,
  } as unknown as TableMessage;
}

function played(...numbers: number[]): TurnEntry[] {
  return numbers.map((turn) => {
    const seat = ((turn - 1) % SEATS) as 0;
    const told = record('PA4:L', { turn, seat });
    return { kind: 'turn', seq: turn, at: 0, by: 'bot', record: told, standings: {} };
  });
}

beforeEach(() => {
  browser();
  vi.stubGlobal('document', { hidden: false });
  vi.useFakeTimers();
  prefer({ pace: 'calm' });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function begun(): TableGame {
  const game = new TableGame('table', '');
  game.take({
    ...at(3, played(1, 2, 3)),
    round_ago: { turn: 0, cities: [city('PA')], messengers: [], pile_left: 20 },
  });
  game.take(at(4, played(4)));
  vi.runAllTimers();
  return game;
}

const floors = (game: TableGame) => game.board?.cities[0]?.left.length;

describe('a table', () => {
  it('tells turns of others one after the other, and who is to decide meanwhile', () => {
    const game = begun();
    expect(game.told?.turn).toBe(4);
    game.take(at(5, played(5)));
    game.take(at(6, played(6)));
    expect(game.frame?.record.turn).toBe(5);
    expect(game.told?.turn).toBe(5);
    expect(game.thinking).toBe(0);
    expect(game.turn.step).toBeNull();
    vi.runAllTimers();
    expect(game.frame).toBeNull();
    expect(game.told?.turn).toBe(6);
    expect(game.turn.step?.kind).toBe('card');
  });

  it('plays nothing out between a skip and my turn, and all of it afterwards', () => {
    const game = begun();
    game.take(at(5, played(5)));
    game.skip();
    expect([game.frame, floors(game), game.maySkip]).toEqual([null, 5, false]);
    game.take(at(6, played(6)));
    expect([game.frame, floors(game)]).toEqual([null, 6]);
    expect(game.turn.step?.kind).toBe('card');
    game.take(at(7, played(7)));
    game.take(at(8, played(8)));
    expect(game.frame).not.toBeNull();
  });

  it('is skipped before anything is told', () => {
    const game = begun();
    expect(game.maySkip).toBe(true);
    game.skip();
    game.take(at(5, played(5)));
    expect(game.frame).toBeNull();
  });

  it('marks what has changed since my last turn, until I choose something', () => {
    const game = begun();
    game.take(at(6, played(5, 6)));
    game.skip();
    const marked = () => game.traces?.cities.get('PA')?.floors.L;
    expect(marked()).toEqual([4, 5]);
    game.turn.choose({ card: 'PA4' });
    expect(game.traces).toBeNull();
    game.turn.back();
    expect(marked()).toEqual([4, 5]);
    game.turn.choose({ card: 'PA4' });
    game.take(at(7, played(7)));
    vi.runAllTimers();
    expect(marked()).toBeUndefined();
  });

  it('shows the last round again, also where turns are not played out, and keeps my choices', () => {
    const game = begun();
    prefer({ pace: 'instant' });
    game.take(at(6, played(5, 6)));
    game.turn.choose({ card: 'PA4' });
    expect(game.mayLookBack).toBe(true);
    game.lookBack();
    expect(game.frame?.record.turn).toBe(5);
    expect(game.mayLookBack).toBe(false);
    expect(game.traces).toBeNull();
    vi.runAllTimers();
    expect([game.frame, floors(game)]).toEqual([null, 6]);
    expect(game.turn.draft.card).toBe('PA4');
    game.lookBack();
    game.skip();
    expect([game.frame, game.again, game.skipping]).toEqual([null, false, false]);
  });

  it('has nothing to show again right after my turn', () => {
    expect(begun().mayLookBack).toBe(false);
  });
});
