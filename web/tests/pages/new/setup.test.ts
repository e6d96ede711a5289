import { expect, it } from 'vitest';
import {
  COLOURS,
  coloursFor,
  freshChoices,
  guests,
  mayBeRated,
  painted,
  QUICK,
  quickSetup,
  readQuick,
  setupOf,
  type Choices,
} from '../../../src/pages/new/setup';

it('keeps of a kept choice what makes sense', () => {
  expect(readQuick(null)).toEqual(QUICK);
  expect(readQuick({ players: 9, level: 'pope', messengers: 'x' })).toEqual(QUICK);
  expect(readQuick({ players: 5, level: 'doge', messengers: true })).toEqual({
    players: 5,
    level: 'doge',
    messengers: true,
    colour: 'black',
  });
  expect(readQuick({ colour: 'blue' })).toEqual({ ...QUICK, colour: 'blue' });
  expect(readQuick({ colour: 'pink' })).toEqual(QUICK);
});

it('seats one person and bots for a quick game', () => {
  const setup = quickSetup({ players: 3, level: 'banker', messengers: true, colour: 'red' });
  expect(setup.colours).toEqual(['red', 'white', 'black']);
  expect(setup.seats).toEqual(['person', 'banker', 'banker']);
  expect(setup.rules).toEqual(['messengers']);
});

it('gives few players only the colours that they may have', () => {
  const quick = { ...QUICK, colour: 'blue' as const };
  expect(quickSetup({ ...quick, players: 2 }).colours).toEqual(['black', 'white']);
  expect(quickSetup({ ...quick, players: 4 }).colours).toEqual(['blue', 'white', 'red', 'yellow']);
  for (const players of [2, 3, 4, 5])
    for (const colour of COLOURS) {
      const colours = quickSetup({ ...QUICK, players, colour }).colours ?? [];
      expect(colours).toHaveLength(players);
      expect(new Set(colours).size).toBe(players);
      expect(colours.every((each) => coloursFor(players).includes(each))).toBe(true);
      if (coloursFor(players).includes(colour)) expect(colours[0]).toBe(colour);
    }
});

it('lets two seats change colours', () => {
  expect(painted(COLOURS, 2, 'black')).toEqual(['red', 'white', 'black', 'yellow', 'blue']);
  expect(painted(COLOURS, 1, 'white')).toEqual(COLOURS);
});

it('makes a table for friends that is not listed', () => {
  const setup = setupOf(freshChoices('friends'));
  expect(setup).toMatchObject({ players: 3, public: false, pace: { kind: 'none' } });
  expect(setup.seats).toEqual(['person', 'person', 'person']);
});

it('lists a table only while it waits for people', () => {
  const choices = freshChoices('everybody');
  expect(setupOf(choices).public).toBe(true);
  choices.seats = ['person', 'doge', 'doge', 'person', 'person'];
  expect(guests(choices)).toEqual([]);
  expect(setupOf(choices).public).toBe(false);
});

it('takes the messenger option for the built city only together with messengers', () => {
  const choices = {
    ...freshChoices('friends'),
    atBuiltCity: true,
    open: 'open-ledger' as const,
  };
  expect(setupOf(choices).rules).toEqual(['open-ledger']);
  expect(setupOf({ ...choices, messengers: true }).rules).toEqual([
    'messengers',
    'messenger-at-built-city',
    'open-ledger',
  ]);
});

it('opens tokens, tokens and piles, or nothing', () => {
  const choices = freshChoices('friends');
  expect(setupOf(choices).rules).toEqual([]);
  expect(setupOf({ ...choices, open: 'open-tokens' }).rules).toEqual(['open-tokens']);
  expect(setupOf({ ...choices, open: 'open-ledger' }).rules).toEqual(['open-ledger']);
});

it('plays neither rated nor against the clock around one screen', () => {
  const choices = { ...freshChoices('here'), rated: true, pace: 'realtime' as const };
  expect(mayBeRated(choices)).toBe(false);
  expect(setupOf(choices)).toMatchObject({ rated: false, pace: { kind: 'none' } });
});

it('counts minutes in seconds', () => {
  const choices = {
    ...freshChoices('friends'),
    pace: 'realtime' as const,
    minutes: 10,
    increment: 5,
  };
  expect(setupOf(choices).pace).toEqual({ kind: 'realtime', base: 600, increment: 5 });
  expect(setupOf({ ...choices, pace: 'correspondence', days: 3 }).pace).toEqual({
    kind: 'correspondence',
    days: 3,
  });
});

it('helps the memory where nobody chose otherwise, but in rated games', () => {
  const choices = freshChoices('friends');
  expect(setupOf(choices).memory_help).toBe(true);
  expect(setupOf({ ...choices, rated: true }).memory_help).toBe(false);
  expect(setupOf({ ...choices, rated: true, memoryHelp: true }).memory_help).toBe(true);
  expect(setupOf({ ...choices, memoryHelp: false }).memory_help).toBe(false);
  // The game of one person against bots cannot be rated, whatever the hidden switch says.
  const alone = { ...choices, players: 2, seats: ['person', 'doge'] as Choices['seats'] };
  expect(setupOf({ ...alone, rated: true }).memory_help).toBe(true);
});
