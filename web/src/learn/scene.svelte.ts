/** One scene of the quick start: a position, the learner's turn, and the result.
 *
 * The server plays the turns and says whether the task was solved; this only tracks the learner's
 * progress. A scene can be restarted at any time.
 */

import { TurnController, type Position } from '../turn/controller.svelte';
import { decisionAt } from '../turn/draft';
import { framesOf, OWN, type Event, type Frame } from '../story/frames';
import type { Board } from '../turn/position';
import { Presenter, type Pace } from '../story/presenter';
import type { LessonAnswer, LessonBody, View } from '../protocol';

export type Stage =
  | 'loading'
  | 'asking' // the learner chooses
  | 'sending'
  | 'showing' // the turn is animated
  | 'right'
  | 'wrong'
  | 'failed'; // the server did not answer

interface SceneConfig {
  play: (body: LessonBody) => Promise<LessonAnswer>;
  pace: () => Pace;
  atOnce: () => boolean; // a whole turn is sent without "End turn"
  wait?: (then: () => void, ms: number) => () => void;
}

export class Scene {
  stage = $state<Stage>('loading');
  answer = $state.raw<LessonAnswer | null>(null); // the newest
  shown = $state.raw<Position | null>(null);
  frame = $state.raw<Frame | null>(null);
  wrong = $state(0); // failed attempts
  reason = $state<LessonAnswer['why']>(''); // of the last of them

  private start: LessonAnswer | null = null; // the scene's beginning
  private settled: string[] = []; // decisions of the current turn
  private told = 0; // frames of that turn shown so far
  private readonly presenter: Presenter<LessonAnswer>;

  readonly view = $derived<View | null>(this.shown?.view ?? null);
  readonly turn: TurnController;
  readonly board = $derived.by((): Board | null => this.frame?.board ?? this.turn.board);
  readonly event = $derived<Event | null>(this.frame?.event ?? null);
  readonly isOver = $derived(this.stage === 'right' || this.stage === 'wrong');
  /** The card of a turn that is being sent or shown. */
  readonly played = $derived.by((): string | null =>
    this.stage === 'sending' || this.stage === 'showing' ? this.turn.draft.card : null,
  );

  constructor(private readonly config: SceneConfig) {
    this.turn = new TurnController({
      position: () => this.shown,
      toDecide: () => this.stage === 'asking' || this.stage === 'sending',
      busy: () => this.stage === 'sending',
      atOnce: config.atOnce,
      send: () => void this.endTurn(),
      quiet: true,
    });
    this.presenter = new Presenter<LessonAnswer>({
      onFrame: (frame) => (this.frame = frame),
      onSettle: (answer) => this.settle(answer),
      pace: config.pace,
      wait: config.wait,
    });
  }

  /** Start, or restart from a known position. */
  async open(known: LessonAnswer | null = null): Promise<void> {
    this.stage = 'loading';
    const answer = known ?? (await this.ask({}));
    if (answer) this.begin(answer);
  }

  /** Try the same scene again. */
  async again(): Promise<void> {
    this.presenter.skip();
    await this.open(this.start);
  }

  async endTurn(): Promise<void> {
    const { shown } = this;
    const { step, draft, choices } = this.turn;
    if (step?.kind !== 'ready' || !shown) return;
    this.stage = 'sending';
    if (!choices.late && !step.messengerFollows) {
      const answer = await this.ask({ moves: [step.turn] });
      if (answer) this.tell(answer);
      return;
    }
    // A messenger comes after the refill, so send the choices so far decision by decision.
    let answer: LessonAnswer | null = null;
    let { phase } = shown.view;
    for (;;) {
      const decision = decisionAt(draft, phase);
      if (decision === null || answer?.done) break;
      this.settled = [...this.settled, decision];
      answer = await this.ask({ decisions: this.settled });
      if (!answer) return;
      phase = answer.view.phase;
    }
    if (answer) this.tell(answer);
  }

  skip(): void {
    this.presenter.skip();
  }

  private async ask(body: LessonBody): Promise<LessonAnswer | null> {
    try {
      return await this.config.play(body);
    } catch {
      this.stage = 'failed';
      this.frame = null;
      return null;
    }
  }

  private begin(answer: LessonAnswer): void {
    this.start = answer;
    this.settled = [];
    this.told = 0;
    this.show(answer);
    this.stage = 'asking';
    this.turn.begin();
  }

  /** Animate the answer. */
  private tell(answer: LessonAnswer): void {
    const record = answer.record ?? answer.view.pending;
    const all = record && this.start ? framesOf(this.start.view, record, answer.standings) : [];
    const fresh = all.slice(this.told).filter(({ event }) => !OWN.includes(event.kind));
    this.told = all.length;
    this.stage = 'showing';
    this.presenter.push(fresh, answer);
  }

  private settle(answer: LessonAnswer): void {
    this.show(answer);
    if (!answer.done) {
      this.stage = 'asking';
      this.turn.begin();
      return;
    }
    this.stage = answer.reached ? 'right' : 'wrong';
    this.reason = answer.why;
    if (!answer.reached) this.wrong += 1;
    this.turn.begin();
  }

  private show(answer: LessonAnswer): void {
    this.answer = answer;
    this.shown = answer;
    this.frame = null;
  }
}
