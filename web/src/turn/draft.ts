/** A turn being put together. It knows no rules: possible next steps are read off the legal turns.
 *
 * Steps are chosen and taken back one by one. A messenger comes after the refill, which must not be
 * revealed before the rest of the turn is final: if a messenger may follow, the draft is first
 * *committed* decision by decision, and the messenger is chosen in the view that comes back.
 */

import type { View, ViewCityCode, ViewPair } from '../protocol';
import { buildStep } from './position';
import { readTurn, towerName, type Site, type Tower, type Turn } from './notation';

export interface Draft {
  card: string | null;
  sites: readonly Site[];
  move: Tower | 'none' | null; // null: not decided yet
  draw: ViewCityCode | null;
  messenger: ViewPair | 'none' | null;
}

export const EMPTY: Draft = { card: null, sites: [], move: null, draw: null, messenger: null };

/** The next step. `takes`: the city whose card the turn draws, if that is settled. */
export type Step =
  | { kind: 'card'; cards: string[] }
  | { kind: 'site'; city: ViewCityCode; sites: Site[]; left: number; takes: ViewCityCode | null }
  | { kind: 'move'; towers: Tower[]; mayDecline: boolean }
  | { kind: 'draw'; cities: ViewCityCode[] }
  | { kind: 'messenger'; pairs: ViewPair[]; mayDecline: boolean }
  | { kind: 'ready'; turn: string; takes: ViewCityCode; messengerFollows: boolean };

export type Choice =
  | { card: string }
  | { site: Site }
  | { move: Tower | 'none' }
  | { draw: ViewCityCode }
  | { messenger: ViewPair | 'none' };

/** All legal turns of a position, read once. */
export class Choices {
  private readonly turns: { text: string; turn: Turn }[];

  /** `phase`: the next decision; past the build, the turn has begun. */
  constructor(
    legal: readonly string[],
    private readonly phase: View['phase'] = 'build',
  ) {
    this.turns = legal.map((text) => ({ text, turn: readTurn(text) }));
  }

  get isEmpty(): boolean {
    return this.turns.length === 0;
  }

  /** Whether only the messenger is left to choose. */
  get late(): boolean {
    return this.phase === 'messenger';
  }

  /** Every card that can be played. */
  get cards(): string[] {
    return unique(this.turns.map(({ turn }) => turn.card));
  }

  /** The initial draft: empty, or the committed part of a turn. */
  begin(): Draft {
    const first = this.turns[0]?.turn;
    if (this.phase === 'build' || !first) return EMPTY;
    return {
      card: first.card,
      sites: first.sites,
      move: this.phase === 'move' ? null : (first.move ?? 'none'),
      draw: this.late ? first.draw : null,
      messenger: null,
    };
  }

  /** Whether a draft can become one of these turns, and includes all that is committed. */
  fits(draft: Draft): boolean {
    return stepsIn(draft) >= stepsIn(this.begin()) && this.fitting(draft).length > 0;
  }

  /** The next step. */
  next(draft: Draft): Step {
    if (draft.card === null) return { kind: 'card', cards: this.cards };
    const fitting = this.fitting(draft);
    const first = fitting[0];
    if (!first) throw new Error('this turn cannot go on');
    const left = first.turn.sites.length - draft.sites.length;
    if (left > 0) {
      const sites = (['L', 'R'] as const).filter((site) =>
        fitting.some(({ turn }) => holds(turn.sites, [...draft.sites, site])),
      );
      const places = unique(fitting.map(({ turn }) => placeOf(turn)));
      const takes = places.length === 1 ? (places[0] ?? null) : null;
      return { kind: 'site', city: first.turn.city, sites, left, takes };
    }
    if (draft.move === null) {
      const towers = uniqueBy(
        fitting.flatMap(({ turn }) => (turn.move ? [turn.move] : [])),
        towerName,
      );
      const mayDecline = fitting.some(({ turn }) => turn.move === null);
      if (towers.length) return { kind: 'move', towers, mayDecline };
    }
    if (draft.draw === null) {
      const cities = unique(fitting.flatMap(({ turn }) => (turn.draw ? [turn.draw] : [])));
      if (cities.length > 1) return { kind: 'draw', cities };
    }
    const pairs = unique(fitting.flatMap(({ turn }) => (turn.messenger ? [turn.messenger] : [])));
    if (this.late && draft.messenger === null && pairs.length) {
      const mayDecline = fitting.some(({ turn }) => turn.messenger === null);
      return { kind: 'messenger', pairs, mayDecline };
    }
    const whole = fitting.find(({ turn }) => this.late || turn.messenger === null) ?? first;
    const messengerFollows = !this.late && pairs.length > 0;
    return { kind: 'ready', turn: whole.text, takes: placeOf(whole.turn), messengerFollows };
  }

  /** Whether the next step offers a choice. */
  allows(draft: Draft, choice: Choice): boolean {
    return this.fitting(add(draft, choice)).length > 0 && fitsStep(this.next(draft), choice);
  }

  private fitting(draft: Draft): { text: string; turn: Turn }[] {
    return this.turns.filter(({ turn }) => agrees(turn, draft));
  }
}

/** The city whose card a turn draws. */
function placeOf(turn: Turn): ViewCityCode {
  return turn.draw ?? turn.city;
}

function agrees(turn: Turn, draft: Draft): boolean {
  if (draft.card !== null && turn.card !== draft.card) return false;
  if (!holds(turn.sites, draft.sites)) return false;
  if (draft.move === 'none' && turn.move !== null) return false;
  if (draft.move !== null && draft.move !== 'none') {
    if (turn.move === null || towerName(turn.move) !== towerName(draft.move)) return false;
  }
  if (draft.draw !== null && turn.draw !== draft.draw) return false;
  if (draft.messenger === 'none') return turn.messenger === null;
  return draft.messenger === null || turn.messenger === draft.messenger;
}

function fitsStep(step: Step, choice: Choice): boolean {
  if ('card' in choice) return step.kind === 'card';
  if ('site' in choice) return step.kind === 'site' && step.sites.includes(choice.site);
  if ('move' in choice) return step.kind === 'move';
  if ('draw' in choice) return step.kind === 'draw';
  return step.kind === 'messenger';
}

export function add(draft: Draft, choice: Choice): Draft {
  if ('card' in choice) return { ...EMPTY, card: choice.card };
  if ('site' in choice) return { ...draft, sites: [...draft.sites, choice.site] };
  return { ...draft, ...choice };
}

/** A whole turn as a complete draft. */
export function draftOf(turn: string): Draft {
  const { card, sites, move, draw, messenger } = readTurn(turn);
  return { card, sites, move: move ?? 'none', draw, messenger: messenger ?? 'none' };
}

/** The number of steps in a draft. */
export function stepsIn({ card, sites, move, draw, messenger }: Draft): number {
  return sites.length + [card, move, draw, messenger].filter((each) => each !== null).length;
}

/** The draft without its last step. */
export function takeBack(draft: Draft): Draft {
  if (draft.messenger !== null) return { ...draft, messenger: null };
  if (draft.draw !== null) return { ...draft, draw: null };
  if (draft.move !== null) return { ...draft, move: null };
  if (draft.sites.length) return { ...draft, sites: draft.sites.slice(0, -1) };
  return EMPTY;
}

/** The text of a draft's decision in a phase; null if it has none. */
export function decisionAt(draft: Draft, phase: View['phase']): string | null {
  const { card, sites, move, draw, messenger } = draft;
  switch (phase) {
    case 'build':
      return card && buildStep(card, sites);
    case 'move':
      return move && (move === 'none' ? '>' : `>${towerName(move)}`);
    case 'draw':
      return draw && `+${draw}`;
    case 'messenger':
      return messenger && (messenger === 'none' ? '@' : `@${messenger}`);
    case 'over':
      return null;
  }
}

/** Whether these floors can become a turn's, added one by one in any order. */
function holds(sites: readonly Site[], chosen: readonly Site[]): boolean {
  const count = (all: readonly Site[], site: Site) => all.filter((each) => each === site).length;
  return count(chosen, 'L') <= count(sites, 'L') && count(chosen, 'R') <= count(sites, 'R');
}

function unique<T>(values: T[]): T[] {
  return [...new Set(values)];
}

function uniqueBy<T>(values: T[], name: (value: T) => string): T[] {
  return [...new Map(values.map((value) => [name(value), value])).values()];
}
