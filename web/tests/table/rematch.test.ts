import { expect, it } from 'vitest';
import { setupAgain } from '../../src/table/rematch';
import type { SeatInfo, TableMessage } from '../../src/protocol';

const seat = (state: SeatInfo['state'], level: SeatInfo['level'] = null) =>
  ({ state, level }) as SeatInfo;

it('seats the same rivals again, also those who came to free seats', () => {
  const setup = { players: 3, seats: ['person', 'person', 'doge'], rules: ['messengers'] };
  const seats = [seat('bot', 'banker'), seat('person'), seat('bot', 'doge')];
  const again = setupAgain({ setup, seats } as unknown as TableMessage);
  expect(again).toEqual({ ...setup, seats: ['banker', 'person', 'doge'] });
});
