/** The turn being put together on a board: one controller for all screens.
 *
 * It offers the choices of the legal turns, previews what was chosen, and says why something else
 * cannot be chosen. Its owner sends the turn.
 */

import type { Prospects, View, ViewCityCode, ViewPair } from '../protocol';
import {
  add,
  Choices,
  draftOf,
  EMPTY,
  stepsIn,
  takeBack,
  type Choice,
  type Draft,
  type Step,
} from './draft';
import { outlookOf, type Outlook } from './outlook';
import type { Board, Standings } from './position';
import { preview } from './preview';
import { readTurn, type Site, type Tower } from './notation';
import { whyNotCard, whyNotPair, whyNotSite, type Barred, type Reason } from './why';

export interface Position {
  view: View;
  standings: Standings;
  barred: Barred;
  prospects: Prospects | null;
}

interface TurnOwner {
  position: () => Position | null; // as shown
  toDecide: () => boolean; // it is the viewer's turn to choose
  busy: () => boolean; // a choice is being sent
  atOnce: () => boolean; // a whole turn is sent without "End turn"
  send: () => void;
  touched?: () => void; // called after a choice, or undo
  quiet?: boolean; // no explanation for touches when there is nothing to choose
}

/** Why the last thing that was touched cannot be chosen. */
export interface Denial {
  reason: Reason;
  city: ViewCityCode | null; // concerned
}

export class TurnController {
  private laid = $state.raw<Draft>(EMPTY);
  private looked = $state.raw<Draft | null>(null);
  private pointed = $state.raw<Choice | null>(null); // a possible next choice, hovered over
  denial = $state.raw<Denial | null>(null);

  readonly choices = $derived.by(() => {
    const view = this.owner.toDecide() ? this.owner.position()?.view : null;
    return new Choices(view?.legal ?? [], view?.phase);
  });
  /** The choices so far. When there is nothing left to choose, the last draft stays. */
  readonly draft = $derived.by((): Draft => {
    const { choices, laid } = this;
    return choices.isEmpty || choices.fits(laid) ? laid : choices.begin();
  });
  readonly step = $derived.by((): Step | null =>
    this.choices.isEmpty || this.owner.busy() ? null : this.choices.next(this.draft),
  );
  /** The draft on the board, or a turn that is only previewed. */
  readonly shown = $derived(this.looked ?? this.draft);
  /** The same with the choice that is hovered over. */
  private readonly meant = $derived.by((): Draft => {
    const { choices, draft, pointed } = this;
    if (this.looked || !pointed || this.step === null) return this.shown;
    return choices.allows(draft, pointed) ? add(draft, pointed) : draft;
  });
  readonly board = $derived.by((): Board | null => {
    const position = this.owner.position();
    if (!position || this.choices.isEmpty) return position?.view ?? null;
    return this.laidOut(position, this.shown);
  });
  /** The effects of all that is chosen, previewed or hovered over. */
  readonly outlook = $derived.by((): Outlook | null => {
    const position = this.owner.position();
    if (!position || this.choices.isEmpty) return null;
    const board = this.laidOut(position, this.meant);
    return outlookOf(position.prospects, this.meant, board, this.choices.late);
  });
  readonly isLooking = $derived(this.looked !== null);

  constructor(private readonly owner: TurnOwner) {}

  /** The cards that the viewer holds. */
  get held(): readonly string[] {
    const view = this.owner.position()?.view;
    return view && view.viewer !== null ? (view.seats[view.viewer]?.hand ?? []) : [];
  }

  /** Cards that can be chosen now, or instead of the chosen one. */
  get playable(): string[] {
    return this.step === null || stepsIn(this.choices.begin()) ? [] : this.choices.cards;
  }

  /** Whether something has been chosen. */
  get isBegun(): boolean {
    return stepsIn(this.draft) > 0;
  }

  get canGoBack(): boolean {
    return this.step !== null && stepsIn(this.draft) > stepsIn(this.choices.begin());
  }

  /** Clear the draft. */
  begin(): void {
    this.laid = this.choices.begin();
    this.looked = null;
    this.pointed = null;
    this.denial = null;
  }

  choose(choice: Choice): boolean {
    this.touch();
    const draft = 'card' in choice ? this.choices.begin() : this.draft;
    if (this.step === null || !this.choices.allows(draft, choice)) return false;
    this.laid = add(draft, choice);
    if (this.step.kind === 'ready' && (this.owner.atOnce() || this.choices.late)) this.owner.send();
    return true;
  }

  decline(): void {
    this.choose(this.step?.kind === 'move' ? { move: 'none' } : { messenger: 'none' });
  }

  back(): void {
    this.touch();
    if (this.canGoBack) this.laid = takeBack(this.draft);
  }

  private laidOut({ view, standings }: Position, draft: Draft): Board {
    const next = this.looked ? null : this.choices.next(draft);
    const whole = next === null || (next.kind === 'ready' && !next.messengerFollows);
    return preview(view, draft, standings, whole);
  }

  /** Hover over a tower or a pair of cities, which may be a possible choice; null: none. */
  pointAt(place: Tower | ViewPair | null): void {
    const { step } = this;
    if (typeof place === 'string') this.point({ messenger: place });
    else if (place && step?.kind === 'site' && step.city === place.city)
      this.point({ site: place.site });
    else if (place && step?.kind === 'move') this.point({ move: place });
    else this.point(null);
  }

  /** Hover over a possible choice; null: none. */
  point(choice: Choice | null): void {
    this.pointed = choice;
  }

  /** Preview a whole turn; null: none. */
  look(turn: string | null): void {
    this.looked = turn === null ? null : draftOf(turn);
  }

  /** Choose all steps of a turn, as far as they can be chosen now. */
  take(turn: string): void {
    const { card, sites, move, draw, messenger } = readTurn(turn);
    this.looked = null;
    if (this.choices.late) return void this.choose({ messenger: messenger ?? 'none' });
    if (this.playable.length) {
      this.choose({ card });
      for (const site of sites) this.choose({ site });
    }
    if (this.step?.kind === 'move') this.choose({ move: move ?? 'none' });
    if (this.step?.kind === 'draw' && draw) this.choose({ draw });
  }

  private touch(): void {
    this.pointed = null;
    this.denial = null;
    this.owner.touched?.();
  }

  // -- touches on the board

  site(code: ViewCityCode, site: Site): void {
    const { step } = this;
    if (step?.kind === 'site' && step.city === code && step.sites.includes(site))
      this.choose({ site });
    else if (
      step?.kind === 'move' &&
      step.towers.some((each) => each.city === code && each.site === site)
    )
      this.choose({ move: { city: code, site } });
    else this.deny(code, (barred) => whyNotSite(barred, step, this.draft, { city: code, site }));
  }

  card(code: ViewCityCode): void {
    const { step } = this;
    if (step?.kind === 'draw' && step.cities.includes(code)) this.choose({ draw: code });
    else this.deny(code, (barred) => whyNotCard(barred, step, this.draft, code));
  }

  pair(pair: ViewPair): void {
    const { step } = this;
    if (step?.kind === 'messenger' && step.pairs.includes(pair)) this.choose({ messenger: pair });
    else this.deny(null, (barred) => whyNotPair(barred, pair));
  }

  /** A card was dropped on a site, or elsewhere. */
  drop(card: string, place: Tower | null): void {
    if (!place || this.step?.kind !== 'site') return;
    if (place.city === card.slice(0, 2)) this.site(place.city, place.site);
    else this.deny(null, () => 'other-city');
  }

  /** A card in the hand that cannot be chosen was touched. */
  hand(): void {
    this.deny(null, () => 'not-your-turn');
  }

  private deny(code: ViewCityCode | null, why: (barred: Barred) => Reason): void {
    const position = this.owner.position();
    if (position?.view.viewer == null) return;
    if (this.owner.quiet && !this.owner.toDecide()) return;
    const reason = why(position.barred);
    const built = (this.draft.card?.slice(0, 2) ?? null) as ViewCityCode | null;
    this.denial = { reason, city: reason === 'other-city' ? built : code };
  }
}
