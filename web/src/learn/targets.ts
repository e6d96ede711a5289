/** What the pointer shows: places on the page, as selectors. */

import { other, readTurn, type Site } from '../turn/notation';
import type { Draft, Step } from '../turn/draft';
import type { LessonAnswer, LessonGoal, View, ViewCityCode } from '../protocol';

export interface Target {
  find: string; // a selector
  kind: 'card' | 'place' | 'button';
}

const card = (id: string): Target => ({ find: `[data-card="${id}"]`, kind: 'card' });
const site = (city: string, at: Site): Target => ({
  find: `[data-site="${city}.${at}"]`,
  kind: 'place',
});
const city = (code: string): Target => ({ find: `[data-city="${code}"] > rect`, kind: 'place' });
const display = (code: string): Target => ({ find: `[data-anchor="city-${code}"]`, kind: 'place' });
const pair = (cities: string): Target => ({
  find: `[data-anchor="pair-${cities}"]`,
  kind: 'place',
});
const END: Target = { find: '[data-choice="end"]', kind: 'button' };
const PILE: Target = { find: '[data-heads]', kind: 'place' };

/** The next thing to do, for "Show me". */
export function nextTarget(goal: LessonGoal, view: View, step: Step, draft: Draft): Target | null {
  const code = goal.city;
  const taller = view.cities.find((each) => each.code === code)?.taller ?? null;
  if (draft.card && goal.card && draft.card !== goal.card) return card(goal.card);
  switch (step.kind) {
    case 'card': {
      const hand = step.cards[0];
      return goal.card ? card(goal.card) : hand ? card(hand) : null;
    }
    case 'site': {
      const [first] = step.sites;
      if (!first) return null;
      if (goal.kind === 'tie' && taller && step.sites.includes(taller))
        return site(step.city, taller);
      const laid = draft.sites[0];
      if (goal.kind === 'double' && laid) return site(step.city, other(laid));
      return site(step.city, first);
    }
    case 'move': {
      const from = code && taller ? other(taller) : null;
      const [first] = step.towers;
      if (code && from) return site(code, from);
      return first ? site(first.city, first.site) : null;
    }
    case 'draw': {
      const built = draft.card?.slice(0, 2);
      const found = step.cities.find((each) => each !== built);
      return found ? display(found) : null;
    }
    case 'messenger':
      return goal.pair ? pair(goal.pair) : null;
    case 'ready':
      return END;
  }
}

/** What the explanation afterwards refers to. */
export function outcomeTarget({ goal, record }: LessonAnswer): Target | null {
  if (!record) return null;
  const turn = readTurn(record.move);
  switch (goal.kind) {
    case 'build':
      return site(turn.city, turn.sites[0] ?? 'L');
    case 'free-draw':
      return turn.draw ? display(turn.draw) : city(turn.city);
    case 'portraits':
      return PILE;
    case 'messenger':
      return turn.messenger ? pair(turn.messenger) : null;
    default:
      return city(goal.city ?? turn.city);
  }
}

/** Cities that the task names, to be highlighted. */
export function aboutCities(goal: LessonGoal): ViewCityCode[] {
  if (goal.pair) return goal.pair.split('-') as ViewCityCode[];
  if (goal.kind === 'free-draw' || goal.kind === 'portraits' || !goal.city) return [];
  return [goal.city as ViewCityCode];
}
