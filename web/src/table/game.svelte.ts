/** One table, as this page plays it: what is shown, what is being chosen, what is sent. */

import type { BackInfo, Command, LogEntry, PresenceMessage, TableMessage } from '../protocol';
import { newId } from '../lib/api';
import { live } from '../lib/line.svelte';
import { Refusal } from '../lib/live';
import { explain } from '../lib/problems';
import { prefs } from '../lib/settings.svelte';
import { Chronicle } from '../story/chronicle';
import { contributionFor } from '../deal/notes';
import { publicView } from './onlookers';
import { TurnController, type Position } from '../turn/controller.svelte';
import { decisionAt } from '../turn/draft';
import type { Event, Frame } from '../story/frames';
import type { Board } from '../turn/position';
import { Presenter } from '../story/presenter';
import { Story, toldTo } from '../story/story';

/** A command without its id, which is given when it is sent. */
export type Wish = Command extends infer Each
  ? Each extends Command
    ? Omit<Each, 'id'>
    : never
  : never;

interface Settled {
  message: TableMessage;
  entries: LogEntry[];
}

export class TableGame {
  message = $state.raw<TableMessage | null>(null); // as shown: behind the newest while turns play out
  newest = $state.raw<TableMessage | null>(null);
  entries = $state.raw<LogEntry[]>([]);
  presence = $state.raw<PresenceMessage | null>(null);
  refused = $state.raw<Refusal | null>(null); // the table itself is not for us
  problem = $state.raw<string | null>(null); // the last command's refusal
  frame = $state.raw<Frame | null>(null); // what is being played out
  sending = $state(false);
  uncovered = $state<number | null>(null); // hot seat: whose hand lies open
  heard = $state(0); // lines of the chat that were seen

  private readonly chronicle = new Chronicle();
  private readonly presenter: Presenter<Settled>;
  private readonly story = new Story();
  private unwatch: (() => void) | null = null;
  private contributed = false;

  readonly isHotSeat = $derived((this.message?.you.seats.length ?? 0) > 1);
  readonly seat = $derived.by(() => this.seatShown());
  private readonly told = $derived.by(() => toldTo(this.message, this.seat));
  readonly position = $derived.by(() => this.positionShown());
  readonly view = $derived(this.position?.view ?? null);
  readonly covered = $derived.by(() => {
    const next = this.message?.you.to_move ?? null;
    return this.isHotSeat && next !== null && next !== this.uncovered;
  });
  readonly turn = new TurnController({
    position: () => this.position,
    toDecide: () =>
      this.frame === null &&
      !this.covered &&
      this.view !== null &&
      this.message?.you.to_move === this.view.viewer,
    busy: () => this.sending,
    atOnce: () => prefs.now.sendAtOnce,
    send: () => void this.endTurn(),
    touched: () => (this.problem = null),
  });
  readonly board = $derived<Board | null>(this.frame?.board ?? this.turn.board);
  readonly event = $derived<Event | null>(this.frame?.event ?? null);
  readonly said = $derived(this.entries.filter((entry) => entry.kind === 'said').length);
  readonly unheard = $derived(Math.max(0, this.said - this.heard));

  constructor(
    readonly id: string,
    readonly key: string,
  ) {
    this.presenter = new Presenter<Settled>({
      onFrame: (frame) => (this.frame = frame),
      onSettle: (settled) => this.settle(settled),
      pace: () => (document.hidden ? 'instant' : prefs.now.pace),
    });
  }

  open(): () => void {
    this.unwatch = live.watch(this.id, {
      since: () => this.newest?.seq ?? 0,
      key: this.key,
      onTable: (message) => this.take(message),
      onPresence: (message) => (this.presence = message),
      onRefused: (message) => (this.refused = new Refusal(message)),
    });
    return () => {
      this.unwatch?.();
      this.presenter.skip();
    };
  }

  // -- what the server tells

  take(message: TableMessage): void {
    const before = this.newest;
    if (before && message.seq < before.seq) return; // an answer that a newer message overtook
    const fresh = this.chronicle.take(message);
    this.newest = message;
    this.contribute(message);
    const settled = { message, entries: this.chronicle.entries };
    const frames = this.story.tell(before, message, fresh);
    if (frames.length === 0 && !this.presenter.isBusy) this.settle(settled);
    else this.presenter.push(frames, settled);
  }

  private settle({ message, entries }: Settled): void {
    const turned = message.turn !== this.message?.turn || message.step !== this.message?.step;
    this.message = message;
    this.entries = entries;
    this.frame = null;
    if (turned) this.turn.begin();
  }

  skip(): void {
    this.presenter.skip();
  }

  // -- who looks

  private seatShown(): number | null {
    const you = this.message?.you;
    if (!you || you.seats.length === 0) return null;
    if (you.seats.length === 1) return you.seats[0] ?? null;
    return this.uncovered ?? you.seats[0] ?? null;
  }

  /** At one screen nobody's own view while the device changes hands. */
  private positionShown(): Position | null {
    const shared = this.covered || (this.isHotSeat && this.uncovered === null);
    const view = shared && publicView(this.message?.views ?? []);
    return view ? { view, standings: {}, barred: {}, prospects: null } : this.told;
  }

  /** Hot seat: the next player sits at the screen now. */
  uncover(): void {
    this.uncovered = this.message?.you.to_move ?? null;
    this.turn.begin();
  }

  // -- what the player may do

  get mayAsk(): boolean {
    return this.turn.step !== null && (this.told?.advice ?? false);
  }

  /** How my last turn can be taken back: at once, or by asking the others. */
  get back(): BackInfo | null {
    return this.sending || this.covered ? null : (this.told?.back ?? null);
  }

  // -- what the player does

  async endTurn(): Promise<void> {
    const { message, position } = this;
    const { step, draft, choices } = this.turn;
    if (step?.kind !== 'ready' || !message || position?.view.viewer == null) return;
    const seat = position.view.viewer;
    const at_turn = message.turn;
    if (!choices.late && !step.messengerFollows) {
      await this.send({ kind: 'play', seat, move: step.turn, at_turn });
      return;
    }
    // A messenger comes after the refill: decision by decision, as far as it has been chosen.
    let { phase } = position.view;
    let at_step = message.step;
    for (;;) {
      const decision = decisionAt(draft, phase);
      if (decision === null) return;
      const told = await this.send({ kind: 'decide', seat, decision, at_turn, at_step });
      const next = toldTo(told, seat);
      if (!told || !next || told.turn !== at_turn) return;
      phase = next.view.phase;
      at_step = told.step;
    }
  }

  takeTurnBack(): void {
    const { seat, message, back } = this;
    if (seat === null || !back || !message) return;
    void this.send({ ...back, seat, at_turn: message.turn });
  }

  /** Send a command; says why if it was refused. */
  async send(wish: Wish): Promise<TableMessage | null> {
    this.sending = true;
    this.problem = null;
    try {
      return await live.act(this.id, { ...wish, id: newId() } as Command);
    } catch (error) {
      this.problem = explain(error);
      this.turn.begin();
      return null;
    } finally {
      this.sending = false;
    }
  }

  /** Every seat of mine adds a random number to the deal, once. */
  private contribute(message: TableMessage): void {
    if (message.phase !== 'open' || this.contributed) return;
    const lacking = message.seats.filter((seat) => seat.you && !seat.contributed);
    if (!lacking.length) return;
    this.contributed = true;
    for (const { seat } of lacking) {
      const contribution = contributionFor(message, seat);
      void this.send({ kind: 'contribute', seat, contribution }).finally(
        () => (this.contributed = false),
      );
    }
  }
}
