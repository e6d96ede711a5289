/** One scene of the quick start: a position, a turn in the making, and what came of it.
 *
 * Plain TypeScript: the server plays the turns and says whether the task was done; this only
 * keeps track of where the learner stands. Nothing is lost by trying: a scene can begin anew.
 */

import {
  add,
  Choices,
  decisionsOf,
  EMPTY,
  takeBack,
  type Choice,
  type Draft,
  type Step,
} from '../play/draft';
import { framesOf, preview, type Board, type Frame } from '../play/frames';
import { Presenter, type Pace } from '../play/presenter';
import type { LessonAnswer, LessonBody, View } from '../protocol';

export type Stage =
  | 'loading'
  | 'asking' // the learner chooses
  | 'sending'
  | 'showing' // what the turn brings is played out
  | 'right'
  | 'wrong'
  | 'failed'; // the server did not answer

export interface SceneState {
  stage: Stage;
  answer: LessonAnswer | null; // the newest
  view: View | null; // as shown
  draft: Draft;
  frame: Frame | null;
  wrong: number; // tries that missed the point
  reason: LessonAnswer['why']; // of the last of them
  step: Step | null; // what is to be chosen next; null while nothing is
  board: Board | null; // with what the learner has laid so far
  playable: string[]; // cards that can be chosen, also instead of the chosen one
  canGoBack: boolean;
}

type Changeable = Omit<SceneState, 'step' | 'board' | 'playable' | 'canGoBack'>;

export interface SceneConfig {
  play: (body: LessonBody) => Promise<LessonAnswer>;
  onChange: (state: SceneState) => void;
  pace: () => Pace;
  wait?: (then: () => void, ms: number) => () => void;
}

const OWN = ['card', 'floor', 'moved', 'messenger']; // what the learner laid is no news

export class Scene {
  state: SceneState = {
    stage: 'loading',
    answer: null,
    view: null,
    draft: EMPTY,
    frame: null,
    wrong: 0,
    reason: '',
    step: null,
    board: null,
    playable: [],
    canGoBack: false,
  };
  private choices = new Choices([]);
  private start: View | null = null; // the scene's beginning
  private settled: string[] = []; // decisions of the turn under way
  private told = 0; // pictures of that turn that were shown
  private readonly presenter: Presenter<LessonAnswer>;

  constructor(private readonly config: SceneConfig) {
    this.presenter = new Presenter<LessonAnswer>({
      onFrame: (frame) => this.change({ frame }),
      onSettle: (answer) => this.settle(answer),
      pace: config.pace,
      wait: config.wait,
    });
  }

  /** Begin, or begin anew with a position that is known already. */
  async open(known: LessonAnswer | null = null): Promise<void> {
    if (known) return this.begin(known);
    this.change({ stage: 'loading' });
    await this.ask({}, (answer) => this.begin(answer));
  }

  /** Try the same scene again. */
  async again(): Promise<void> {
    this.presenter.skip();
    const { start, state } = this;
    if (start && state.answer)
      this.begin({
        ...state.answer,
        view: start,
        done: false,
        reached: false,
        why: '',
        record: null,
      });
    else await this.open();
  }

  choose(choice: Choice): boolean {
    if (this.state.stage !== 'asking') return false;
    const draft = 'card' in choice ? EMPTY : this.state.draft;
    if (!this.choices.allows(draft, choice)) return false;
    this.change({ draft: add(draft, choice) });
    if (this.choices.late && this.state.step?.kind === 'ready') void this.endTurn();
    return true;
  }

  back(): void {
    if (this.state.canGoBack) this.change({ draft: takeBack(this.state.draft) });
  }

  async endTurn(): Promise<void> {
    const { draft, step } = this.state;
    if (step?.kind !== 'ready') return;
    const body: LessonBody = this.choices.late
      ? { decisions: [...this.settled, draft.messenger === 'none' ? '@' : `@${draft.messenger}`] }
      : step.messengerFollows
        ? { decisions: decisionsOf(step.turn, draft.move !== null) }
        : { moves: [step.turn] };
    this.change({ stage: 'sending' });
    await this.ask(body, (answer) => this.tell(body.decisions ?? [], answer));
  }

  skip(): void {
    this.presenter.skip();
  }

  private async ask(body: LessonBody, then: (answer: LessonAnswer) => void): Promise<void> {
    let answer: LessonAnswer;
    try {
      answer = await this.config.play(body);
    } catch {
      this.change({ stage: 'failed', frame: null });
      return;
    }
    then(answer);
  }

  private begin(answer: LessonAnswer): void {
    this.start = answer.view;
    this.settled = [];
    this.told = 0;
    this.choices = new Choices(answer.view.legal);
    this.change({ stage: 'asking', answer, view: answer.view, draft: EMPTY, frame: null });
  }

  /** Play out what the answer brought. */
  private tell(decisions: readonly string[], answer: LessonAnswer): void {
    this.settled = [...decisions];
    const record = answer.record ?? answer.view.pending;
    const all = record && this.start ? framesOf(this.start, record, answer.view) : [];
    const fresh = all.slice(this.told).filter(({ event }) => !OWN.includes(event.kind));
    this.told = all.length;
    this.change({ stage: 'showing' });
    this.presenter.push(fresh, answer);
  }

  private settle(answer: LessonAnswer): void {
    const { view, done, reached, why } = answer;
    if (!done) {
      this.choices = new Choices(view.legal, view.phase === 'messenger');
      const draft = this.choices.begin();
      this.change({ stage: 'asking', answer, view, draft, frame: null });
      return;
    }
    this.choices = new Choices([]);
    const shown = { answer, view, draft: EMPTY, frame: null };
    if (reached) this.change({ ...shown, stage: 'right', reason: '' });
    else this.change({ ...shown, stage: 'wrong', reason: why, wrong: this.state.wrong + 1 });
  }

  private change(part: Partial<Changeable>): void {
    const next = { ...this.state, ...part };
    const { stage, draft, view, frame } = next;
    const asking = stage === 'asking' && !this.choices.isEmpty;
    const { late } = this.choices; // the refill lies open, and a messenger is what is left
    const laid = (stage === 'asking' || stage === 'sending') && !late;
    this.state = {
      ...next,
      step: asking ? this.choices.next(draft) : null,
      playable: asking && !late ? this.choices.cards : [],
      canGoBack: asking && !late && draft.card !== null,
      board: frame?.board ?? (view && laid ? preview(view, view.viewer ?? 0, draft) : view),
    };
    this.config.onChange(this.state);
  }
}
