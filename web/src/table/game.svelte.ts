/** One table, as this page plays it: what is shown, what is being chosen, what is sent. */

import type {
  Command,
  LogEntry,
  PresenceMessage,
  TableMessage,
  TurnEntry,
  View,
  ViewRecord,
} from '../protocol';
import { newId } from '../lib/api';
import { live } from '../lib/line.svelte';
import { Refusal } from '../lib/live';
import { explain } from '../lib/problems';
import { prefs } from '../lib/settings.svelte';
import { Chronicle } from '../play/chronicle';
import { add, Choices, decisionsOf, EMPTY, takeBack, type Choice, type Draft } from '../play/draft';
import { framesOf, preview, type Board, type Event, type Frame } from '../play/frames';
import { contributionFor } from '../play/notes';
import { publicView } from '../play/onlookers';
import { Presenter } from '../play/presenter';

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

const MOST_SHOWN = 6; // turns played out in a row; after a longer absence the page just catches up

export class TableGame {
  message = $state.raw<TableMessage | null>(null); // as shown: behind the newest while turns play out
  newest = $state.raw<TableMessage | null>(null);
  entries = $state.raw<LogEntry[]>([]);
  presence = $state.raw<PresenceMessage | null>(null);
  refused = $state.raw<Refusal | null>(null); // the table itself is not for us
  problem = $state.raw<string | null>(null); // the last command's refusal
  frame = $state.raw<Frame | null>(null); // what is being played out
  draft = $state.raw<Draft>(EMPTY);
  sending = $state(false);
  uncovered = $state<number | null>(null); // hot seat: whose hand lies open
  heard = $state(0); // lines of the chat that were seen

  private readonly chronicle = new Chronicle();
  private readonly presenter: Presenter<Settled>;
  private start: Board | null = null; // the board before the turn under way
  private told = 0; // pictures of that turn that were shown
  private unwatch: (() => void) | null = null;
  private contributed = false;

  readonly isHotSeat = $derived((this.message?.you.seats.length ?? 0) > 1);
  readonly seat = $derived.by(() => this.seatShown());
  readonly view = $derived.by(() => this.viewShown());
  readonly covered = $derived.by(() => {
    const next = this.message?.you.to_move ?? null;
    return this.isHotSeat && next !== null && next !== this.uncovered;
  });
  readonly choices = $derived.by(() => {
    const view = this.view;
    const mine =
      view && this.frame === null && !this.covered && this.message?.you.to_move === view.viewer;
    return new Choices(mine ? view.legal : [], view?.phase === 'messenger');
  });
  readonly step = $derived.by(() =>
    this.choices.isEmpty || this.sending ? null : this.choices.next(this.draft),
  );
  readonly board = $derived.by((): Board | null => {
    if (this.frame) return this.frame.board;
    const view = this.view;
    if (!view) return null;
    if (this.choices.late || view.viewer === null) return view;
    return preview(view, view.viewer, this.draft);
  });
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
    const frames = before ? this.picture(before, message, fresh) : [];
    if (frames.length === 0 && !this.presenter.isBusy) this.settle(settled);
    else this.presenter.push(frames, settled);
  }

  /** The pictures that lead from one message to the next. */
  private picture(before: TableMessage, message: TableMessage, fresh: TurnEntry[]): Frame[] {
    const after = this.viewOf(message, this.anySeat(message));
    const old = this.viewOf(before, this.anySeat(before));
    if (!after) return [];
    if (!old || message.turn < before.turn || fresh.length > MOST_SHOWN) {
      this.begin(after);
      return [];
    }
    const frames: Frame[] = [];
    for (const entry of fresh) {
      this.start ??= old;
      frames.push(...this.pictureTurn(entry.record, after, entry.by === 'person'));
      // The next turn begins where this one ended.
      this.start = frames.at(-1)?.board ?? after;
      this.told = 0;
    }
    if (fresh.length) this.start = fresh.length === 1 && !after.pending ? after : this.start;
    if (after.pending) {
      this.start ??= old;
      frames.push(...this.pictureTurn(after.pending, after, true));
    }
    return frames;
  }

  private pictureTurn(record: ViewRecord, after: Board, byPerson: boolean): Frame[] {
    if (!this.start) return [];
    const all = framesOf(this.start, record, after);
    const fresh = all.slice(this.told);
    this.told = all.length;
    const mine = byPerson && (this.newest?.you.seats.includes(record.seat) ?? false);
    // What I chose lies there already: only what it brought is news.
    return mine
      ? fresh.filter(({ event }) => !['card', 'floor', 'moved', 'messenger'].includes(event.kind))
      : fresh;
  }

  private begin(board: Board): void {
    this.start = board;
    this.told = 0;
  }

  private settle({ message, entries }: Settled): void {
    const turned = message.turn !== this.message?.turn || message.step !== this.message?.step;
    this.message = message;
    this.entries = entries;
    this.frame = null;
    if (turned) this.draft = this.choices.begin();
  }

  skip(): void {
    this.presenter.skip();
  }

  // -- who looks

  private anySeat(message: TableMessage): number | null {
    return message.views[0]?.seat ?? null;
  }

  private seatShown(): number | null {
    const you = this.message?.you;
    if (!you || you.seats.length === 0) return null;
    if (you.seats.length === 1) return you.seats[0] ?? null;
    return this.uncovered ?? you.seats[0] ?? null;
  }

  /** At one screen nobody's own view while the device changes hands. */
  private viewShown(): View | null {
    const shared = this.covered || (this.isHotSeat && this.uncovered === null);
    return (
      (shared && publicView(this.message?.views ?? [])) || this.viewOf(this.message, this.seat)
    );
  }

  private viewOf(message: TableMessage | null, seat: number | null): View | null {
    if (!message) return null;
    const found = message.views.find((each) => each.seat === seat) ?? message.views[0];
    return found?.view ?? null;
  }

  /** Hot seat: the next player sits at the screen now. */
  uncover(): void {
    this.uncovered = this.message?.you.to_move ?? null;
    this.draft = this.choices.begin();
  }

  // -- what the player may do

  /** Nobody else at the table is a person: hints and taking back are free. */
  get onlyBots(): boolean {
    return this.message?.seats.every((seat) => seat.you || seat.state === 'bot') ?? false;
  }

  get mayAsk(): boolean {
    return this.step !== null && this.onlyBots && !this.isHotSeat;
  }

  /** Cards that can be chosen now, or instead of the chosen one. */
  get playable(): string[] {
    return this.choices.isEmpty || this.choices.late || this.sending ? [] : this.choices.cards;
  }

  get canGoBack(): boolean {
    return !this.choices.isEmpty && !this.choices.late && this.draft.card !== null && !this.sending;
  }

  /** How many turns had ended before my last one; null if I have had none. */
  private get beforeMyLast(): number | null {
    const seat = this.seat;
    const last = this.entries.findLast(
      (entry) => entry.kind === 'turn' && entry.record.seat === seat,
    );
    return last?.kind === 'turn' ? last.record.turn - 1 : null;
  }

  /** Among people only while nothing hidden has been shown since. */
  get mayTakeTurnBack(): boolean {
    const first = this.beforeMyLast;
    if (first === null || this.sending || this.covered) return false;
    const shown = this.entries.some(
      (entry) => entry.kind === 'turn' && entry.record.turn > first && entry.record.refill !== null,
    );
    return this.onlyBots || !shown;
  }

  // -- what the player does

  choose(choice: Choice): void {
    this.problem = null;
    const draft = 'card' in choice ? EMPTY : this.draft;
    if (!this.choices.allows(draft, choice)) return;
    this.draft = add(draft, choice);
    if (this.step?.kind === 'ready' && (prefs.now.sendAtOnce || this.choices.late))
      void this.endTurn();
  }

  back(): void {
    this.problem = null;
    this.draft = this.choices.late ? this.choices.begin() : takeBack(this.draft);
  }

  async endTurn(): Promise<void> {
    const step = this.step;
    const { message, view } = this;
    if (step?.kind !== 'ready' || !message || view?.viewer == null) return;
    const seat = view.viewer;
    const at_turn = message.turn;
    if (!this.choices.late && !step.messengerFollows) {
      await this.send({ kind: 'play', seat, move: step.turn, at_turn });
      return;
    }
    const decisions = this.choices.late
      ? [this.draft.messenger === 'none' ? '@' : `@${this.draft.messenger}`]
      : decisionsOf(step.turn, this.draft.move !== null);
    let at_step = message.step;
    for (const decision of decisions) {
      const done = await this.send({ kind: 'decide', seat, decision, at_turn, at_step });
      if (!done) return;
      at_step += 1;
    }
  }

  /** Take my last ended turn back: at once among bots, otherwise by asking the others. */
  takeTurnBack(): void {
    const { seat, message, beforeMyLast } = this;
    if (seat === null || beforeMyLast === null || !message) return;
    const kind = this.onlyBots ? ('take-back' as const) : ('ask-undo' as const);
    void this.send({ kind, seat, to_turn: beforeMyLast, at_turn: message.turn });
  }

  /** Send a command; says why if it was refused. */
  async send(wish: Wish): Promise<TableMessage | null> {
    this.sending = true;
    this.problem = null;
    try {
      return await live.act(this.id, { ...wish, id: newId() } as Command);
    } catch (error) {
      this.problem = explain(error);
      this.draft = this.choices.begin();
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
