import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createTable, joining, seatGuest } from '../../src/deal/seats';
import { contributionFor, forgetNumbers, noteCommitment, noteOf } from '../../src/deal/notes';
import type { TableMessage } from '../../src/protocol';
import { browser, type Sent } from '../browser';

const seen = (table: string, commitment = 'c') => ({ table, deal: { commitment } }) as TableMessage;

beforeEach(() => vi.unstubAllGlobals());

describe('notes', () => {
  beforeEach(() => void browser());

  it('hold the first commitment, whatever the server says later', () => {
    noteCommitment(seen('a', 'first'));
    contributionFor(seen('a', 'second'), 0);
    noteCommitment(seen('a', 'third'));
    expect(noteOf('a')?.commitment).toBe('first');
    expect(noteOf('b')).toBeNull();
  });

  it('give one number a seat, however often the server asks', () => {
    const number = contributionFor(seen('a'), 0);
    expect(number).toMatch(/^[0-9a-f]{64}$/);
    expect(contributionFor(seen('a'), 0)).toBe(number);
    const other = contributionFor(seen('a'), 1);
    expect(other).not.toBe(number);
    expect(noteOf('a')?.numbers).toEqual({ 0: number, 1: other });
  });

  it('lose the numbers of who stands up, and not the commitment', () => {
    const number = contributionFor(seen('a', 'first'), 0);
    forgetNumbers('a');
    expect(noteOf('a')).toEqual({ table: 'a', commitment: 'first', numbers: {} });
    expect(contributionFor(seen('a'), 0)).not.toBe(number);
  });

  it('forget the oldest games', () => {
    for (let game = 0; game < 100; game += 1) contributionFor(seen(`table ${game}`), 0);
    expect(noteOf('table 39')).toBeNull();
    expect(noteOf('table 40')).not.toBeNull();
    expect(noteOf('table 99')).not.toBeNull();
  });

  it('are none where something else was kept under their name', () => {
    for (const kept of ['7', '{}', '[null, 1, {"table": "a"}]', 'not JSON']) {
      localStorage.setItem('patrizier.deals', kept);
      expect(noteOf('a')).toBeNull();
      contributionFor(seen('a'), 0);
      expect(noteOf('a')).not.toBeNull();
    }
  });
});

describe('before a number goes out', () => {
  let sent: Sent[];
  const answer = ({ path }: Sent) =>
    path === '/api/me' ? { token: 't' } : seen('new table', 'committed');
  beforeEach(() => {
    // What had been noted when each request went out.
    sent = browser((request) => {
      request.note = noteOf('new table');
      return answer(request);
    });
  });

  it('the commitment of a table that was made here is noted', async () => {
    const message = await createTable({ players: 2 }, 0);
    expect(noteOf(message.table)).toEqual({
      table: 'new table',
      commitment: 'committed',
      numbers: {},
    });
  });

  it('so it is where somebody sits down', () => {
    const wish = joining(seen('new table', 'committed'), 1);
    expect(wish).toMatchObject({ kind: 'join', seat: 1, hot_seat: false, name: null });
    expect(noteOf('new table')).toEqual({
      table: 'new table',
      commitment: 'committed',
      numbers: { 1: wish.contribution },
    });
  });

  it('so it is for others at this screen', async () => {
    const message = await createTable({ players: 2 }, 0);
    await seatGuest(message, 1, 'Ben');
    const { body, note } = sent.at(-1)!;
    const { contribution } = body as { contribution: string };
    expect(body).toMatchObject({ kind: 'join', seat: 1, hot_seat: true, name: 'Ben' });
    expect(note).toEqual({
      table: 'new table',
      commitment: 'committed',
      numbers: { 1: contribution },
    });
  });
});
