import { describe, expect, it } from 'vitest';
import { EMPTY } from '../../src/play/draft';
import { framesOf, preview } from '../../src/play/frames';
import type { ViewRecord } from '../../src/protocol';
import { board, city } from './table';

function record(move: string, changes: Partial<ViewRecord> = {}): ViewRecord {
  return { turn: 1, seat: 1, move, drawn: null, refill: null, scored: null, ...changes };
}

describe('a turn in pictures', () => {
  it('goes through build, draw and refill in this order', () => {
    const before = board([city('BO', { card: 'FI4' }), city('FI')]);
    const after = board(
      [city('BO', { left: [1], card: 'RO1', leaders: [1, null], taller: 'L' }), city('FI')],
      { pile_left: 9 },
    );
    const frames = framesOf(before, record('BO4:L', { drawn: 'FI4', refill: 'RO1' }), after);
    expect(frames.map((frame) => frame.event.kind)).toEqual(['card', 'floor', 'drawn', 'refill']);
    expect(frames[1]?.board.cities[0]).toMatchObject({
      left: [1],
      leaders: [1, null],
      card: 'FI4',
    });
    expect(frames[2]?.board.cities[0]?.card).toBeNull();
    expect(frames[3]?.board).toEqual(after);
    expect(before.cities[0]?.left).toEqual([]); // the board before stays as it was
  });

  it('lays two floors one after the other', () => {
    const before = board([city('BO')]);
    const after = board([city('BO', { left: [1], right: [1] })]);
    const frames = framesOf(before, record('BO1:LR'), after);
    expect(frames.map((frame) => frame.event.kind)).toEqual(['card', 'floor', 'floor']);
    expect(frames[1]?.board.cities[0]).toMatchObject({ left: [1], right: [] });
    expect(frames[2]?.board).toEqual(after);
  });

  it('takes the card of a free draw where it lay', () => {
    const before = board([city('BO', { card: 'RO1' }), city('FI', { card: 'LU1' })]);
    const frames = framesOf(before, record('BO3:L+FI', { drawn: 'LU1' }), before);
    expect(frames.at(-1)?.event).toEqual({ kind: 'drawn', seat: 1, city: 'FI', card: 'LU1' });
  });

  it('moves the top floor across', () => {
    const before = board([city('BO'), city('MI', { left: [0, 1], right: [0] })]);
    const after = board([
      city('BO', { left: [1] }),
      city('MI', { left: [0], right: [0, 1], leaders: [0, 1], taller: 'R' }),
    ]);
    const frames = framesOf(before, record('BO3:L>MI.L'), after);
    expect(frames.at(-1)?.event).toEqual({ kind: 'moved', city: 'MI', site: 'L' });
    expect(frames.at(-1)?.board).toEqual(after);
  });

  it('shows a scored city before the card is taken', () => {
    const before = board([city('BO', { left: [0, 1], right: [0, 0], card: 'RO1' })]);
    const done = city('BO', {
      left: [0, 1, 1],
      right: [0, 0],
      taller: 'L',
      winners: [1, 0],
      leaders: [1, 0],
    });
    const scored = { city: 'BO', taller: 1, lower: 0, chips: 2 } as const;
    const frames = framesOf(before, record('BO4:L', { drawn: 'RO1', scored }), board([done]));
    expect(frames.map((frame) => frame.event.kind)).toEqual(['card', 'floor', 'scored', 'drawn']);
    expect(frames[2]?.board.cities[0]?.winners).toEqual([1, 0]);
  });

  it('scores last where a messenger was laid in the same turn', () => {
    const before = board([city('BO', { left: [0, 1], right: [0, 0] }), city('FI')]);
    const done = city('BO', { left: [0, 1, 1], right: [0, 0], taller: 'L', winners: [1, 0] });
    const scored = { city: 'BO', taller: 1, lower: 0, chips: 2 } as const;
    const after = board([done, city('FI')], { messengers: ['BO-FI'] });
    const frames = framesOf(before, record('BO4:L@BO-FI', { scored }), after);
    expect(frames.map((frame) => frame.event.kind)).toEqual([
      'card',
      'floor',
      'messenger',
      'scored',
    ]);
    expect(frames[2]?.board.messengers).toEqual(['BO-FI']);
  });
});

describe('the preview of a draft', () => {
  const start = board([city('BO'), city('MI', { left: [0, 1] })]);

  it('shows nothing of an empty draft', () => expect(preview(start, 0, EMPTY)).toEqual(start));

  it('shows floors, the special action and the messenger', () => {
    const shown = preview(start, 2, {
      card: 'BO1',
      sites: ['L', 'R'],
      move: { city: 'MI', site: 'L' },
      draw: null,
      messenger: 'MI-PA',
    });
    expect(shown.cities[0]).toMatchObject({ left: [2], right: [2] });
    expect(shown.cities[1]).toMatchObject({ left: [0], right: [1] });
    expect(shown.messengers).toEqual(['MI-PA']);
  });
});
