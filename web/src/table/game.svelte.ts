/** The state of one table on this page: what is shown, chosen and sent. */

import type {
  BackInfo,
  Command,
  LogEntry,
  PresenceMessage,
  TableMessage,
  ViewRecord,
} from '../protocol';
import { newId } from '../lib/api';
import { live } from '../lib/connection.svelte';
import { Refusal } from '../lib/live';
import { explain } from '../lib/problems';
import { prefs } from '../lib/settings.svelte';
import { Chronicle } from '../story/chronicle';
import { contributionFor } from '../deal/notes';
import { publicView } from './onlookers';
import { TurnController, type Position } from '../turn/controller.svelte';
import { decisionAt } from '../turn/draft';
import { framesOf, type Event, type Frame } from '../story/frames';
import type { Board } from '../turn/position';
import { Presenter, type Pace } from '../story/presenter';
import { Round } from '../story/round';
import { Story, toldTo } from '../story/story';
import { tracesOf, type Traces } from '../story/traces';

/** A command without its id, which is given when it is sent. */
type Wish = Command extends infer Each ? (Each extends Command ? Omit<Each, 'id'> : never) : never;

interface Settled {
  message: TableMessage;
  entries: LogEntry[];
  round: Round;
}

export class TableGame {
  message = $state.raw<TableMessage | null>(null); // as shown: older than the newest while turns are animated
  newest = $state.raw<TableMessage | null>(null);
  entries = $state.raw<LogEntry[]>([]);
  presence = $state.raw<PresenceMessage | null>(null);
  refused = $state.raw<Refusal | null>(null); // the table itself was refused
  problem = $state.raw<string | null>(null); // the last command's refusal
  frame = $state.raw<Frame | null>(null); // the animation's current frame
  skipping = $state(false); // no animation until it is my turn
  again = $state(false); // the animation is a repetition
  sending = $state(false);
  uncovered = $state<number | null>(null); // hot seat: the seat whose hand is shown
  heard = $state(0); // chat lines seen so far

  private readonly chronicle = new Chronicle();
  private readonly presenter: Presenter<Settled>;
  private readonly story = new Story();
  private newestRound = Round.NONE;
  private round = $state.raw(Round.NONE);
  private unwatch: (() => void) | null = null;
  private contributed = false;

  readonly isHotSeat = $derived((this.message?.you.seats.length ?? 0) > 1);
  readonly seat = $derived.by(() => this.seatShown());
  private readonly shown = $derived.by(() => toldTo(this.message, this.seat));
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
  /** The turn being animated, or the last one, as far as shown. */
  readonly told = $derived.by((): ViewRecord | null => this.frame?.record ?? this.lastTurn());
  /** The seat to decide now, whatever is still being animated. */
  readonly thinking = $derived(this.newest?.views[0]?.view.seat ?? null);
  /** The turns since my last one. */
  private readonly since = $derived(this.round.since(this.seat));
  readonly traces = $derived.by((): Traces | null => this.tracesShown());
  readonly said = $derived(this.entries.filter((entry) => entry.kind === 'said').length);
  readonly unheard = $derived(Math.max(0, this.said - this.heard));

  constructor(
    readonly id: string,
    readonly key: string,
  ) {
    this.presenter = new Presenter<Settled>({
      onFrame: (frame) => (this.frame = frame),
      onSettle: (settled) => this.settle(settled),
      pace: () => this.pace(),
      hurried: () => !this.again,
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

  // -- messages from the server

  take(message: TableMessage): void {
    const before = this.newest;
    if (before && message.seq < before.seq) return; // an answer overtaken by a newer message
    const fresh = this.chronicle.take(message);
    this.newest = message;
    this.contribute(message);
    this.newestRound = this.newestRound.after(message, fresh);
    const settled = { message, entries: this.chronicle.entries, round: this.newestRound };
    const frames = this.story.tell(before, message, fresh);
    if (frames.length === 0 && !this.presenter.isBusy) this.settle(settled);
    else this.presenter.push(frames, settled);
  }

  private settle({ message, entries, round }: Settled): void {
    const turned = message.turn !== this.message?.turn || message.step !== this.message?.step;
    this.message = message;
    this.entries = entries;
    this.round = round;
    this.frame = null;
    this.again = false;
    if (!this.isAwaited(message)) this.skipping = false;
    if (turned) this.turn.begin();
  }

  /** Whether others play before it is my turn. */
  private isAwaited({ phase, you }: TableMessage): boolean {
    return phase === 'playing' && you.role === 'player' && you.to_move === null;
  }

  /** Skip all animations until it is my turn. */
  skip(): void {
    this.skipping = this.newest !== null && this.isAwaited(this.newest);
    this.presenter.skip();
  }

  get maySkip(): boolean {
    const { newest, frame, skipping } = this;
    return frame !== null || (!skipping && newest !== null && this.isAwaited(newest));
  }

  private pace(): Pace {
    if (document.hidden || this.skipping) return 'instant';
    const { pace } = prefs.now;
    return this.again && pace === 'instant' ? 'brisk' : pace;
  }

  /** Whether there are turns to show again, and no animation is running. */
  get mayLookBack(): boolean {
    return this.frame === null && !this.covered && !!this.since?.turns.length;
  }

  /** Show the turns since my last one again; the draft is kept. */
  lookBack(): void {
    const { message, entries, round, since } = this;
    if (!this.mayLookBack || !message || !since) return;
    const frames: Frame[] = [];
    for (const { record, standings } of since.turns)
      frames.push(...framesOf(frames.at(-1)?.board ?? since.board, record, standings));
    this.again = true;
    this.presenter.push(frames, { message, entries, round });
  }

  private lastTurn(): ViewRecord | null {
    const pending = this.view?.pending;
    const last = this.entries.findLast((entry) => entry.kind === 'turn');
    return pending ?? (last?.kind === 'turn' ? last.record : null);
  }

  /** Changes since my last turn, marked until I choose something. */
  private tracesShown(): Traces | null {
    const { view, since, message } = this;
    if (view?.viewer == null || !since || message?.phase !== 'playing' || this.again) return null;
    const acted = this.turn.isBegun || view.pending?.seat === view.viewer;
    return acted ? null : tracesOf(since.board, view);
  }

  // -- viewers

  private seatShown(): number | null {
    const you = this.message?.you;
    if (!you || you.seats.length === 0) return null;
    if (you.seats.length === 1) return you.seats[0] ?? null;
    return this.uncovered ?? you.seats[0] ?? null;
  }

  /** Hot seat: nobody's own view while the device is handed over. */
  private positionShown(): Position | null {
    const shared = this.covered || (this.isHotSeat && this.uncovered === null);
    const view = shared && publicView(this.message?.views ?? []);
    return view ? { view, standings: {}, barred: {}, prospects: null } : this.shown;
  }

  /** Hot seat: the next player has taken the device. */
  uncover(): void {
    this.uncovered = this.message?.you.to_move ?? null;
    this.turn.begin();
  }

  // -- what the player may do

  get mayAsk(): boolean {
    return this.turn.step !== null && (this.shown?.advice ?? false);
  }

  /** How my last turn can be taken back: at once, or by asking the others. */
  get back(): BackInfo | null {
    return this.sending || this.covered ? null : (this.shown?.back ?? null);
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
    // A messenger comes after the refill, so send the choices so far decision by decision.
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

  /** Send a command; shows the reason if it is refused. */
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

  /** Contribute a random number to the deal for each of my seats, once. */
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
