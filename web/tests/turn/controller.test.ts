import { describe, expect, it, vi } from 'vitest';
import { TurnController } from '../../src/turn/controller.svelte';
import type { Prospects, View } from '../../src/protocol';
import { city, view } from '../learn/positions';
import { standing } from './table';

const legal = ['PA4:L', 'PA4:L@LU-MI', 'MI3:L+MI', 'MI3:L+PA', 'FI3:R', 'FI3:R>PA.L'];
const prospects: Prospects = {
  gains: { PA4: { noble: 'K', heads: 3, points: 6, missing: 3 } },
  takes: { 'PA4:L': [[0, 5]] },
  answers: { '>PA.L': [{ seat: 1, card: 'PA1', sites: 'L', points: 0 }] },
  leads: {},
};
const cities = [
  city('FI'),
  city('MI', { card: 'BO5' }),
  city('PA', { card: 'FI3', left: [0, 1], leaders: [1, null], taller: 'L' }),
];

function setUp(more: Partial<View> = {}, flags = { toDecide: true, busy: false, atOnce: false }) {
  const send = vi.fn();
  const standings = {
    'PA4:L': standing('L', [0, null]),
    'FI3:R': standing('R', [null, 0]),
    '>PA.L': standing(null, [0, 1]),
  };
  const turn = new TurnController({
    position: () => ({ view: view({ legal, cities, ...more }), standings, barred: {}, prospects }),
    toDecide: () => flags.toDecide,
    busy: () => flags.busy,
    atOnce: () => flags.atOnce,
    send,
  });
  return { turn, send, flags };
}

const parma = (turn: TurnController) => turn.board?.cities.find((each) => each.code === 'PA');

describe('a turn controller', () => {
  it("knows the viewer's cards, and none where nobody looks from a seat", () => {
    const seats = view().seats.map((each) => ({ ...each, hand: [`MI${each.seat + 1}`] }));
    expect(setUp({ seats, viewer: 1 }).turn.held).toEqual(['MI2']);
    expect(setUp({ seats, viewer: null }).turn.held).toEqual([]);
  });

  it('lays out what is chosen, with who would take what, and takes it back', () => {
    const { turn, send } = setUp();
    expect(turn.playable).toEqual(['PA4', 'MI3', 'FI3']);
    turn.choose({ card: 'PA4' });
    turn.site('PA', 'L');
    expect(parma(turn)).toMatchObject({ left: [0, 1, 0], leaders: [0, null], taller: 'L' });
    expect(turn.step).toMatchObject({ kind: 'ready', messengerFollows: true });
    expect(send).not.toHaveBeenCalled();
    turn.back();
    expect(parma(turn)).toMatchObject({ left: [0, 1], leaders: [1, null] });
    turn.back();
    expect(turn.canGoBack).toBe(false);
  });

  it('says what would be brought, also by what is only pointed at', () => {
    const { turn } = setUp();
    expect(turn.outlook).toBeNull();
    turn.choose({ card: 'PA4' });
    expect(turn.outlook).toMatchObject({ gain: { points: 6 }, takes: null, sites: [] });
    turn.point({ site: 'L' });
    const brought = { takes: { city: 'PA', shares: [[0, 5]] }, sites: ['L'] };
    expect(turn.outlook).toMatchObject(brought);
    expect(parma(turn)).toMatchObject({ left: [0, 1] }); // nothing is laid
    turn.point({ site: 'R' }); // that cannot be
    expect(turn.outlook).toMatchObject({ takes: null });
    turn.point(null);
    turn.site('PA', 'L');
    expect(turn.outlook).toMatchObject(brought);
    turn.choose({ card: 'FI3' });
    turn.site('FI', 'R');
    turn.site('PA', 'L');
    expect(turn.outlook).toMatchObject({ city: { code: 'PA' }, answers: [{ seat: 1 }] });
  });

  it('offers towers, cards and pairs where they are touched', () => {
    const { turn } = setUp();
    turn.choose({ card: 'FI3' });
    turn.drop('FI3', { city: 'FI', site: 'R' });
    turn.site('PA', 'L');
    expect(parma(turn)).toMatchObject({ left: [0], right: [1], leaders: [0, 1], taller: null });
    turn.choose({ card: 'MI3' });
    turn.site('MI', 'L');
    turn.card('PA');
    expect(turn.step).toMatchObject({ kind: 'ready', turn: 'MI3:L+PA', takes: 'PA' });
  });

  it('says why something else cannot be', () => {
    const { turn } = setUp();
    turn.site('PA', 'L');
    expect(turn.denial).toEqual({ reason: 'card-first', city: 'PA' });
    turn.choose({ card: 'PA4' });
    expect(turn.denial).toBeNull();
    turn.site('MI', 'L');
    expect(turn.denial).toEqual({ reason: 'other-city', city: 'PA' });
    turn.drop('PA4', { city: 'MI', site: 'L' });
    expect(turn.denial?.reason).toBe('other-city');
    turn.card('MI');
    expect(turn.denial?.reason).toBe('not-now');
  });

  it('has nothing to say to somebody who only watches', () => {
    const { turn } = setUp(
      { viewer: null, legal: [] },
      { toDecide: false, busy: false, atOnce: false },
    );
    turn.site('PA', 'L');
    turn.pair('LU-MI');
    expect(turn.denial).toBeNull();
    expect(turn.step).toBeNull();
  });

  it('keeps what was chosen on the board while it is on its way', () => {
    const { turn, flags } = setUp();
    turn.choose({ card: 'PA4' });
    turn.choose({ site: 'L' });
    flags.busy = true;
    expect(turn).toMatchObject({ step: null, playable: [], canGoBack: false });
    expect(parma(turn)?.left).toEqual([0, 1, 0]);
    expect(turn.choose({ card: 'MI3' })).toBe(false);
    flags.toDecide = false;
    expect(turn.draft.card).toBe('PA4');
    expect(parma(turn)?.left).toEqual([0, 1]);
  });

  it('sends a whole turn at once, if somebody likes it so', () => {
    const { turn, send } = setUp({}, { toDecide: true, busy: false, atOnce: true });
    turn.choose({ card: 'FI3' });
    turn.choose({ site: 'R' });
    expect(send).not.toHaveBeenCalled();
    turn.decline();
    expect(send).toHaveBeenCalledOnce();
  });

  it('sends a messenger as soon as it is chosen: nothing else is left', () => {
    const late = { phase: 'messenger' as const, legal: ['PA4:L', 'PA4:L@LU-MI'] };
    const { turn, send } = setUp(late);
    turn.begin();
    expect(turn).toMatchObject({ playable: [], canGoBack: false, step: { kind: 'messenger' } });
    turn.pair('LU-MI');
    expect(send).toHaveBeenCalledOnce();
    expect(turn.board?.messengers).toEqual(['LU-MI']);
  });

  it('goes on with a turn of which a part is settled', () => {
    const { turn } = setUp({ phase: 'move', legal: ['FI3:R', 'FI3:R>PA.L'] });
    expect(turn.draft).toMatchObject({ card: 'FI3', sites: ['R'], move: null });
    expect(turn).toMatchObject({ playable: [], canGoBack: false });
    turn.site('PA', 'L');
    expect(turn.board?.cities.map((each) => each.right)).toEqual([[], [], [1]]);
    turn.back();
    turn.back();
    expect(turn.draft).toMatchObject({ card: 'FI3', sites: ['R'], move: null });
  });

  it('lets a turn be looked at, and takes it over', () => {
    const { turn } = setUp();
    turn.choose({ card: 'MI3' });
    turn.look('FI3:R>PA.L');
    expect(turn.isLooking).toBe(true);
    expect(turn.shown.card).toBe('FI3');
    expect(parma(turn)?.right).toEqual([1]);
    turn.look(null);
    expect(parma(turn)?.right).toEqual([]);
    expect(turn.draft.card).toBe('MI3');
    turn.take('FI3:R>PA.L');
    expect(turn.step).toMatchObject({ kind: 'ready', turn: 'FI3:R>PA.L' });
    turn.take('PA4:L@LU-MI');
    expect(turn.step).toMatchObject({ kind: 'ready', turn: 'PA4:L', messengerFollows: true });
  });
});
