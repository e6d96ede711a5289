import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Live, Refusal, type LiveConfig, type Socket } from '../../src/lib/live';
import type { Command, ServerMessage, TableMessage } from '../../src/protocol';

class FakeSocket implements Socket {
  onopen: (() => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  sent: { kind: string; [key: string]: unknown }[] = [];
  closed = false;

  send(text: string): void {
    this.sent.push(JSON.parse(text) as { kind: string });
  }

  close(): void {
    this.closed = true;
  }

  tell(message: Partial<ServerMessage>): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const table = (changes: Partial<TableMessage> = {}) =>
  ({ kind: 'table', table: 't', seq: 5, answers: null, ...changes }) as TableMessage;
const command: Command = { kind: 'start', id: 'one' };

let sockets: FakeSocket[];

function line(config: Partial<LiveConfig> = {}): Live {
  return new Live({
    connect: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    waits: [10, 20],
    ...config,
  });
}

const last = () => sockets.at(-1) as FakeSocket;

beforeEach(() => {
  sockets = [];
  vi.useFakeTimers();
});

afterEach(() => vi.useRealTimers());

describe('the line', () => {
  it('says what it wants to hear as soon as it is open', () => {
    const live = line();
    live.start();
    live.watch('t', { since: () => 7, onTable: () => {} });
    expect(last().sent).toEqual([]);
    last().onopen?.();
    expect(last().sent).toEqual([{ kind: 'watch', table: 't', since: 7, key: '' }]);
  });

  it('comes back by itself and catches up', () => {
    const states: string[] = [];
    let seq = 0;
    const live = line({ onState: (state) => states.push(state) });
    live.start();
    live.watch('t', { since: () => seq, onTable: (message) => (seq = message.seq) });
    last().onopen?.();
    last().tell(table());
    last().onclose?.({ code: 1006 });
    vi.advanceTimersByTime(11);
    expect(sockets).toHaveLength(2);
    last().onopen?.();
    expect(last().sent).toEqual([{ kind: 'watch', table: 't', since: 5, key: '' }]);
    expect(states).toEqual(['connecting', 'open', 'broken', 'connecting', 'open']);
  });

  it('sends a command again that was not answered', async () => {
    const live = line();
    live.start();
    last().onopen?.();
    const done = live.act('t', command);
    last().onclose?.({ code: 1006 });
    vi.advanceTimersByTime(11);
    last().onopen?.();
    expect(last().sent).toEqual([{ kind: 'act', table: 't', command }]);
    last().tell(table({ answers: 'one' }));
    expect((await done).seq).toBe(5);
    last().onclose?.({ code: 1006 });
    vi.advanceTimersByTime(11);
    last().onopen?.();
    expect(last().sent).toEqual([]); // but an answered one never
  });

  it('rejects with the reason of a refusal', async () => {
    const live = line();
    live.start();
    last().onopen?.();
    const done = live.act('t', command);
    last().tell({
      kind: 'refused',
      table: 't',
      command: 'one',
      code: 'stale',
      reason: 'turn-passed',
      values: { meant: 3, now: 4 },
      text: 'too late',
    });
    await expect(done).rejects.toBeInstanceOf(Refusal);
    await expect(done).rejects.toMatchObject({
      message: 'too late',
      reason: 'turn-passed',
      values: { meant: 3, now: 4 },
    });
  });

  it('tells a listener that its table is not for it', () => {
    const refused = vi.fn();
    const live = line();
    live.start();
    live.watch('t', { since: () => 0, onTable: () => {}, onRefused: refused });
    last().onopen?.();
    last().tell({ kind: 'refused', table: 't', command: null, code: 'unknown', text: 'no' });
    expect(refused).toHaveBeenCalledOnce();
  });

  it('notices a dead line by its silence', () => {
    const live = line({ pingEvery: 100 });
    live.start();
    last().onopen?.();
    vi.advanceTimersByTime(100);
    expect(last().sent).toEqual([{ kind: 'ping' }]);
    last().tell({ kind: 'pong', nonce: 0, now: 0 });
    vi.advanceTimersByTime(100);
    expect(sockets).toHaveLength(1);
    vi.advanceTimersByTime(100);
    expect(sockets[0]?.closed).toBe(true);
    vi.advanceTimersByTime(11);
    expect(sockets).toHaveLength(2);
  });

  it('hurries when asked to, and stays silent when stopped', () => {
    const live = line({ waits: [60_000] });
    live.start();
    last().onclose?.({ code: 1006 });
    live.hurry();
    expect(sockets).toHaveLength(2);
    live.stop();
    last().onclose?.({ code: 1000 });
    vi.advanceTimersByTime(100_000);
    expect(sockets).toHaveLength(2);
  });

  it('hears no more of a table it has left', () => {
    const heard = vi.fn();
    const live = line();
    live.start();
    last().onopen?.();
    const stop = live.watch('t', { since: () => 0, onTable: heard });
    stop();
    expect(last().sent.at(-1)).toEqual({ kind: 'unwatch', table: 't' });
    last().tell(table());
    expect(heard).not.toHaveBeenCalled();
  });
});
