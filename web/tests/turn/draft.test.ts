import { describe, expect, it } from 'vitest';
import {
  add,
  Choices,
  decisionAt,
  draftOf,
  EMPTY,
  takeBack,
  type Choice,
  type Draft,
} from '../../src/turn/draft';

const LEGAL = [
  'BO1:LL', 'BO1:LR', 'BO1:RR', // two crests
  'BO3:L+BO', 'BO3:L+FI', 'BO3:R+BO', 'BO3:R+FI', // free draw
  'FI3:R', 'FI3:R>BO.L', 'FI3:R>LU.R', // special action; only the right site is free
  'BO4:L', 'BO4:L@MI-PA', 'BO4:L@FE-VE', 'BO4:R', 'BO4:R@MI-PA', // star
]; // prettier-ignore

function made(choices: Choices, ...steps: Choice[]): Draft {
  let draft: Draft = EMPTY;
  for (const step of steps) {
    expect(choices.allows(draft, step)).toBe(true);
    draft = add(draft, step);
  }
  return draft;
}

describe('a turn in the making', () => {
  const choices = new Choices(LEGAL);

  it('begins with the cards that can be played', () =>
    expect(choices.next(EMPTY)).toEqual({ kind: 'card', cards: ['BO1', 'BO3', 'FI3', 'BO4'] }));

  it('lays two floors in any order', () => {
    const first = made(choices, { card: 'BO1' }, { site: 'R' });
    expect(choices.next(first)).toEqual({
      kind: 'site',
      city: 'BO',
      sites: ['L', 'R'],
      left: 1,
      takes: 'BO',
    });
    const both = add(first, { site: 'L' });
    expect(choices.next(both)).toEqual({
      kind: 'ready',
      turn: 'BO1:LR',
      takes: 'BO',
      messengerFollows: false,
    });
  });

  it('offers only the sites that a legal turn has', () => {
    const draft = made(choices, { card: 'FI3' });
    expect(choices.next(draft)).toEqual({
      kind: 'site',
      city: 'FI',
      sites: ['R'],
      left: 1,
      takes: 'FI',
    });
    expect(choices.allows(draft, { site: 'L' })).toBe(false);
  });

  it('offers the special action, which may be declined', () => {
    const draft = made(choices, { card: 'FI3' }, { site: 'R' });
    expect(choices.next(draft)).toEqual({
      kind: 'move',
      towers: [
        { city: 'BO', site: 'L' },
        { city: 'LU', site: 'R' },
      ],
      mayDecline: true,
    });
    const moved = made(
      choices,
      { card: 'FI3' },
      { site: 'R' },
      { move: { city: 'LU', site: 'R' } },
    );
    expect(choices.next(moved)).toMatchObject({ kind: 'ready', turn: 'FI3:R>LU.R' });
    const declined = made(choices, { card: 'FI3' }, { site: 'R' }, { move: 'none' });
    expect(choices.next(declined)).toMatchObject({ kind: 'ready', turn: 'FI3:R' });
  });

  it('asks for the card of a free draw', () => {
    const draft = made(choices, { card: 'BO3' }, { site: 'L' });
    expect(choices.next(draft)).toEqual({ kind: 'draw', cities: ['BO', 'FI'] });
    const drawn = made(choices, { card: 'BO3' }, { site: 'L' }, { draw: 'FI' });
    expect(choices.next(drawn)).toMatchObject({ kind: 'ready', turn: 'BO3:L+FI' });
  });

  it('leaves the messenger for after the refill', () => {
    const draft = made(choices, { card: 'BO4' }, { site: 'L' });
    expect(choices.next(draft)).toEqual({
      kind: 'ready',
      turn: 'BO4:L',
      takes: 'BO',
      messengerFollows: true,
    });
  });

  it('chooses another card instead', () => {
    const draft = made(choices, { card: 'BO1' }, { site: 'R' });
    expect(add(draft, { card: 'BO4' })).toEqual({ ...EMPTY, card: 'BO4' });
  });

  it('takes back step by step', () => {
    let draft = made(choices, { card: 'FI3' }, { site: 'R' }, { move: 'none' });
    draft = takeBack(draft);
    expect(draft).toMatchObject({ card: 'FI3', sites: ['R'], move: null });
    draft = takeBack(draft);
    expect(draft).toMatchObject({ card: 'FI3', sites: [] });
    expect(takeBack(draft)).toEqual(EMPTY);
    expect(takeBack(EMPTY)).toEqual(EMPTY);
  });

  it('does not allow what the next step does not offer', () => {
    expect(choices.allows(EMPTY, { site: 'L' })).toBe(false);
    expect(choices.allows(EMPTY, { card: 'LU1' })).toBe(false);
    expect(choices.allows(made(choices, { card: 'BO1' }), { draw: 'FI' })).toBe(false);
  });
});

describe('the messenger of a turn under way', () => {
  const late = new Choices(['BO3:L+FI', 'BO3:L+FI@MI-PA', 'BO3:L+FI@FE-VE'], 'messenger');

  it('is all that is left to choose', () =>
    expect(late.next(late.begin())).toEqual({
      kind: 'messenger',
      pairs: ['MI-PA', 'FE-VE'],
      mayDecline: true,
    }));

  it('may be laid or not', () => {
    const laid = add(late.begin(), { messenger: 'FE-VE' });
    expect(late.next(laid)).toMatchObject({ kind: 'ready', turn: 'BO3:L+FI@FE-VE' });
    const none = add(late.begin(), { messenger: 'none' });
    expect(late.next(none)).toMatchObject({ kind: 'ready', turn: 'BO3:L+FI' });
  });
});

describe('a turn under way', () => {
  const legal = ['FI3:R+BO', 'FI3:R+LU', 'FI3:R>BO.L+BO', 'FI3:R>BO.L+LU'];

  it('begins with what has been decided', () => {
    const move = new Choices(legal, 'move');
    expect(move.begin()).toEqual({ ...EMPTY, card: 'FI3', sites: ['R'] });
    expect(move.next(move.begin()).kind).toBe('move');
    const draw = new Choices(legal.slice(2), 'draw');
    expect(draw.begin()).toMatchObject({ move: { city: 'BO', site: 'L' }, draw: null });
    expect(draw.next(draw.begin())).toEqual({ kind: 'draw', cities: ['BO', 'LU'] });
    expect(new Choices(legal.slice(0, 2), 'draw').begin().move).toBe('none');
  });

  it('does not fit a draft that holds less, or something else', () => {
    const move = new Choices(legal, 'move');
    expect(move.fits(EMPTY)).toBe(false);
    expect(move.fits(move.begin())).toBe(true);
    expect(move.fits({ ...move.begin(), move: 'none' })).toBe(true);
    expect(move.fits({ ...move.begin(), card: 'BO1' })).toBe(false);
  });
});

describe('decisions', () => {
  it.each([
    ['BO4:L', ['BO4:L', '>', null, '@']],
    ['BO1:LR', ['BO1:LR', '>', null, '@']],
    ['FI3:R>LU.R+SI@MI-PA', ['FI3:R', '>LU.R', '+SI', '@MI-PA']],
  ])('of %s', (turn, decisions) => {
    const phases = ['build', 'move', 'draw', 'messenger'] as const;
    expect(phases.map((phase) => decisionAt(draftOf(turn), phase))).toEqual(decisions);
  });

  it('end where nothing has been chosen', () => {
    const draft = add(add(EMPTY, { card: 'BO1' }), { site: 'R' });
    const both = add(draft, { site: 'L' });
    expect(decisionAt(both, 'build')).toBe('BO1:LR');
    expect(decisionAt(both, 'move')).toBeNull();
    expect(decisionAt(both, 'messenger')).toBeNull();
    expect(decisionAt(both, 'over')).toBeNull();
  });
});

it('is empty when it is not my turn', () => {
  const none = new Choices([]);
  expect(none.isEmpty).toBe(true);
  expect(none.begin()).toEqual(EMPTY);
});
