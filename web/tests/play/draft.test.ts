import { describe, expect, it } from 'vitest';
import {
  add,
  Choices,
  decisionsOf,
  EMPTY,
  takeBack,
  type Choice,
  type Draft,
} from '../../src/play/draft';

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
      freeDraw: false,
    });
    const both = add(first, { site: 'L' });
    expect(choices.next(both)).toEqual({ kind: 'ready', turn: 'BO1:LR', messengerFollows: false });
  });

  it('offers only the sites that a legal turn has', () => {
    const draft = made(choices, { card: 'FI3' });
    expect(choices.next(draft)).toEqual({
      kind: 'site',
      city: 'FI',
      sites: ['R'],
      left: 1,
      freeDraw: false,
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
    expect(choices.next(draft)).toEqual({ kind: 'ready', turn: 'BO4:L', messengerFollows: true });
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
  const late = new Choices(['BO3:L+FI', 'BO3:L+FI@MI-PA', 'BO3:L+FI@FE-VE'], true);

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

describe('decisions', () => {
  it.each([
    ['BO4:L', false, ['BO4:L']],
    ['BO1:LR', false, ['BO1:LR']],
    ['BO3:L+FI', false, ['BO3:L', '+FI']],
    ['FI3:R', true, ['FI3:R', '>']],
    ['FI3:R>LU.R+SI', true, ['FI3:R', '>LU.R', '+SI']],
  ])('of %s', (turn, hasMove, decisions) => expect(decisionsOf(turn, hasMove)).toEqual(decisions));
});

it('is empty when it is not my turn', () => {
  const none = new Choices([]);
  expect(none.isEmpty).toBe(true);
  expect(none.begin()).toEqual(EMPTY);
});
