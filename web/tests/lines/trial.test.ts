import { expect, it, vi } from 'vitest';
import type { Place } from '../../src/lines/source';
import { Trial } from '../../src/lines/trial.svelte';
import type { LineAnswer } from '../../src/protocol';
import { answer, view } from '../learn/positions';

function position(changes: Parameters<typeof view>[0] = {}): LineAnswer {
  const { standings, prospects, barred } = answer();
  const shown = view(changes);
  return {
    view: shown,
    frame: shown,
    seat: 0,
    record: null,
    steps: {},
    standings,
    prospects,
    barred,
    hands: [[], []],
    scores: [],
    outcome: null,
  };
}

function setUp(...answers: (LineAnswer | Error)[]) {
  const asked: { place: Place; decisions: readonly string[] }[] = [];
  const onTurn = vi.fn();
  const onError = vi.fn();
  const look = async (place: Place, decisions: readonly string[] = []) => {
    asked.push({ place, decisions });
    const next = answers.shift();
    if (!next || next instanceof Error) throw next ?? new Error('nothing more');
    return next;
  };
  const trial = new Trial({ lines: { look }, onTurn, onError });
  return { trial, asked, onTurn, onError };
}

const place = { at: 4, moves: ['PA4:L'] };

it('puts a turn together without sending it', async () => {
  const { trial, asked, onTurn } = setUp(position());
  await trial.open(place);
  expect(asked).toEqual([{ place, decisions: [] }]);
  trial.turn.choose({ card: 'PA4' });
  trial.turn.choose({ site: 'L' });
  await trial.endTurn();
  expect(onTurn).toHaveBeenCalledWith('PA4:L');
  expect(asked).toHaveLength(1);
});

it('settles what comes before a messenger, and then asks for it', async () => {
  const legal = ['PA4:L', 'PA4:L@LU-MI', 'PA4:L@MI-PA'];
  const { trial, asked, onTurn } = setUp(
    position({ legal }),
    position({ legal, phase: 'messenger' }),
  );
  await trial.open(place);
  trial.turn.choose({ card: 'PA4' });
  trial.turn.choose({ site: 'L' });
  await trial.endTurn();
  expect(asked.at(-1)?.decisions).toEqual(['PA4:L']);
  expect(onTurn).not.toHaveBeenCalled();
  expect(trial.turn.step?.kind).toBe('messenger');
  trial.turn.choose({ messenger: 'LU-MI' });
  expect(onTurn).toHaveBeenCalledWith('PA4:L@LU-MI');
});

it('tells when the server does not answer', async () => {
  const { trial, onError } = setUp(new Error('offline'));
  await trial.open(place);
  expect(trial.stage).toBe('failed');
  expect(onError).toHaveBeenCalledOnce();
});
