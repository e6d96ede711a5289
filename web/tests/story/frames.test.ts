import { describe, expect, it } from 'vitest';
import { framesOf } from '../../src/story/frames';
import type { ViewRecord } from '../../src/protocol';
import { board, city, standing } from '../turn/table';

function record(move: string, changes: Partial<ViewRecord> = {}): ViewRecord {
  return { turn: 1, seat: 1, move, drawn: null, refill: null, scored: null, ...changes };
}

describe('a turn in pictures', () => {
  it('goes through build, draw and refill in this order', () => {
    const before = board([city('BO', { card: 'FI4' }), city('FI')]);
    const after = board(
      [
        city('BO', {
          left: [1],
          card: 'RO1',
          leaders: [1, null],
          tallies: [[[1, 1]], []],
          taller: 'L',
        }),
        city('FI'),
      ],
      { pile_left: 9 },
    );
    const frames = framesOf(before, record('BO4:L', { drawn: 'FI4', refill: 'RO1' }), {
      'BO4:L': standing('L', [1, null]),
    });
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

  it('lays two floors one after the other, and each changes who leads', () => {
    const before = board([city('BO', { left: [0] })]);
    const frames = framesOf(before, record('BO1:LR'), {
      'BO1:L': standing('L', [1, null]),
      'BO1:LR': standing('L', [1, 1]),
    });
    expect(frames.map((frame) => frame.event.kind)).toEqual(['card', 'floor', 'floor']);
    expect(frames[1]?.board.cities[0]).toMatchObject({ left: [0, 1], leaders: [1, null] });
    expect(frames[2]?.board.cities[0]).toMatchObject({ right: [1], leaders: [1, 1] });
  });

  it('takes the card of a free draw where it lay', () => {
    const before = board([city('BO', { card: 'RO1' }), city('FI', { card: 'LU1' })]);
    const frames = framesOf(before, record('BO3:L+FI', { drawn: 'LU1' }), {});
    expect(frames.at(-1)?.event).toEqual({ kind: 'drawn', seat: 1, city: 'FI', card: 'LU1' });
  });

  it('moves the top floor across', () => {
    const before = board([city('BO'), city('MI', { left: [0, 1], right: [0] })]);
    const after = board([
      city('BO', { left: [1], leaders: [1, null], tallies: [[[1, 1]], []], taller: 'L' }),
      city('MI', {
        left: [0],
        right: [0, 1],
        leaders: [0, 1],
        tallies: [[[0, 1]], [[1, 1]]],
        taller: 'R',
      }),
    ]);
    const frames = framesOf(before, record('BO3:L>MI.L'), {
      'BO3:L': standing('L', [1, null]),
      '>MI.L': standing('R', [0, 1]),
    });
    expect(frames.at(-1)?.event).toEqual({ kind: 'moved', city: 'MI', site: 'L' });
    expect(frames.at(-1)?.board).toEqual(after);
  });

  const full = board([city('BO', { left: [0, 1], right: [0, 0], card: 'RO1' }), city('FI')]);
  const scored = { city: 'BO', taller: 1, lower: 0, tokens: [5, 2] as [5, 2], chips: 2 } as const;

  it('scores a city at once, before a card is taken and a messenger is laid', () => {
    const turn = record('BO4:L@FE-VE', { drawn: 'RO1', scored });
    const frames = framesOf(full, turn, { 'BO4:L': standing('L', [1, 0], [1, 0]) });
    const kinds = frames.map((frame) => frame.event.kind);
    expect(kinds).toEqual(['card', 'floor', 'scored', 'drawn', 'messenger']);
    expect(frames[1]?.board.cities[0]).toMatchObject({ leaders: [1, 0], winners: null });
    expect(frames[2]?.board.cities[0]?.winners).toEqual([1, 0]);
  });

  it('scores it last where that waits for the messenger', () => {
    const turn = record('BO4:L@BO-FI', { drawn: 'RO1', scored });
    const late = { ...standing('L', [1, 0], [1, 0]), late: true };
    const frames = framesOf(full, turn, { 'BO4:L': late });
    const kinds = frames.map((frame) => frame.event.kind);
    expect(kinds).toEqual(['card', 'floor', 'drawn', 'messenger', 'scored']);
    expect(frames[3]?.board).toMatchObject({
      messengers: ['BO-FI'],
      cities: [{ messengers: 1, winners: null }, { messengers: 1 }],
    });
    expect(frames[4]?.board.cities[0]?.winners).toEqual([1, 0]);
  });

  it('says that nobody leads where it was not told who does', () => {
    const before = board([city('BO', { left: [0], leaders: [0, null], taller: 'L' })]);
    const [, floor] = framesOf(before, record('BO4:R'), {});
    expect(floor?.board.cities[0]).toMatchObject({ taller: null, leaders: [null, null] });
  });
});
