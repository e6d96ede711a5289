/** The connection to the server: it reconnects by itself and loses no command.
 *
 * Plain TypeScript, with the socket passed in, so that tests need no browser. A command without an
 * answer is sent again after reconnecting, with the same id (an idempotency key).
 */

import type {
  Act,
  ClientMessage,
  Command,
  PresenceMessage,
  RefusedMessage,
  ServerMessage,
  TableMessage,
  YourTurnMessage,
} from '../protocol';

export type ConnectionState = 'connecting' | 'open' | 'broken';

export interface Socket {
  onopen: (() => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  send(text: string): void;
  close(): void;
}

/** One page's subscription to a table. */
interface Listener {
  since: () => number; // the last sequence number it knows
  key?: string;
  onTable: (message: TableMessage) => void;
  onPresence?: (message: PresenceMessage) => void;
  onRefused?: (message: RefusedMessage) => void; // the subscription itself
}

export interface LiveConfig {
  connect: () => Socket;
  onState?: (state: ConnectionState) => void;
  onYourTurn?: (message: YourTurnMessage) => void;
  onSignedOut?: () => void;
  waits?: readonly number[]; // ms before each retry; the last one repeats
  pingEvery?: number; // ms
}

export class Refusal extends Error {
  constructor(readonly message_: RefusedMessage) {
    super(message_.text);
  }

  get reason(): RefusedMessage['reason'] {
    return this.message_.reason;
  }

  get values(): RefusedMessage['values'] {
    return this.message_.values;
  }
}

interface Waiting {
  message: Act;
  resolve: (message: TableMessage) => void;
  reject: (error: Error) => void;
}

const WAITS = [200, 500, 1000, 2000, 4000, 8000];
const SIGNED_OUT = 4001;

export class Live {
  private socket: Socket | null = null;
  private state: ConnectionState = 'broken';
  private tries = 0;
  private stopped = true;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private pinging: ReturnType<typeof setInterval> | undefined;
  private heard = true; // anything since the last ping
  private readonly listeners = new Map<string, Listener>();
  private readonly waiting = new Map<string, Waiting>();

  constructor(private readonly config: LiveConfig) {}

  start(): void {
    if (!this.stopped) return;
    this.stopped = false;
    this.open();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.retry);
    clearInterval(this.pinging);
    this.socket?.close();
    this.socket = null;
  }

  /** Try again at once, for instance when the browser is online again. */
  hurry(): void {
    if (this.stopped || this.state === 'open') return;
    clearTimeout(this.retry);
    this.tries = 0;
    this.open();
  }

  watch(table: string, listener: Listener): () => void {
    this.listeners.set(table, listener);
    this.sayWatch(table, listener);
    return () => {
      if (this.listeners.get(table) !== listener) return;
      this.listeners.delete(table);
      this.say({ kind: 'unwatch', table });
    };
  }

  /** Carry out a command; resolves with the table after it, rejects with a Refusal. */
  act(table: string, command: Command): Promise<TableMessage> {
    return new Promise((resolve, reject) => {
      const message: Act = { kind: 'act', table, command };
      this.waiting.set(command.id, { message, resolve, reject });
      this.say(message);
    });
  }

  private open(): void {
    this.become('connecting');
    this.drop();
    const socket = this.config.connect();
    this.socket = socket;
    socket.onopen = () => {
      if (socket === this.socket) this.opened();
    };
    socket.onmessage = (event) => {
      if (socket === this.socket) this.hear(JSON.parse(String(event.data)) as ServerMessage);
    };
    socket.onclose = (event) => {
      if (socket === this.socket) this.closed(event.code);
    };
  }

  private drop(): void {
    const old = this.socket;
    this.socket = null;
    if (old) old.close();
  }

  private opened(): void {
    this.tries = 0;
    this.heard = true;
    this.become('open');
    for (const [table, listener] of this.listeners) this.sayWatch(table, listener);
    for (const each of this.waiting.values()) this.say(each.message);
    clearInterval(this.pinging);
    this.pinging = setInterval(() => this.ping(), this.config.pingEvery ?? 15_000);
  }

  private closed(code: number): void {
    clearInterval(this.pinging);
    this.socket = null;
    if (this.stopped) return;
    this.become('broken');
    if (code === SIGNED_OUT) this.config.onSignedOut?.();
    const waits = this.config.waits ?? WAITS;
    const wait = waits[Math.min(this.tries, waits.length - 1)] ?? 1000;
    this.tries += 1;
    this.retry = setTimeout(() => this.open(), wait);
  }

  private ping(): void {
    if (!this.heard) {
      this.drop(); // no answer: the connection is dead, even if the browser has not noticed
      this.closed(0);
      return;
    }
    this.heard = false;
    this.say({ kind: 'ping' });
  }

  private hear(message: ServerMessage): void {
    this.heard = true;
    switch (message.kind) {
      case 'table': {
        this.listeners.get(message.table)?.onTable(message);
        const waiting = message.answers ? this.waiting.get(message.answers) : undefined;
        if (waiting && message.answers) {
          this.waiting.delete(message.answers);
          waiting.resolve(message);
        }
        break;
      }
      case 'refused': {
        const waiting = message.command ? this.waiting.get(message.command) : undefined;
        if (waiting && message.command) {
          this.waiting.delete(message.command);
          waiting.reject(new Refusal(message));
        } else if (message.table) this.listeners.get(message.table)?.onRefused?.(message);
        break;
      }
      case 'presence':
        this.listeners.get(message.table)?.onPresence?.(message);
        break;
      case 'your-turn':
        this.config.onYourTurn?.(message);
        break;
    }
  }

  private sayWatch(table: string, listener: Listener): void {
    this.say({ kind: 'watch', table, since: listener.since(), key: listener.key ?? '' });
  }

  private say(message: ClientMessage): void {
    if (this.state === 'open') this.socket?.send(JSON.stringify(message));
  }

  private become(state: ConnectionState): void {
    if (this.state === state) return;
    this.state = state;
    this.config.onState?.(state);
  }
}
