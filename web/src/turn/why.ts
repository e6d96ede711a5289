/** Why something cannot be chosen now, as a text's name: shown on hover and on a tap. */

import type { View, ViewCity } from '../protocol';
import type { Draft, Step } from './draft';

export type Reason =
  | 'why.not-your-turn'
  | 'why.card-first'
  | 'why.other-city'
  | 'why.must-fill-site'
  | 'why.built-here'
  | 'why.scored'
  | 'why.no-floor'
  | 'why.empty-site'
  | 'why.no-card'
  | 'why.forced-draw'
  | 'why.not-now'
  | 'why.messenger-city-built'
  | 'why.messenger-two'
  | 'why.messenger-pair';

export function whyNotSite(view: View, step: Step | null, draft: Draft, city: ViewCity): Reason {
  if (step === null) return 'why.not-your-turn';
  const builtHere = draft.card?.slice(0, 2) === city.code;
  switch (step.kind) {
    case 'card':
      return 'why.card-first';
    case 'site':
      return builtHere ? 'why.must-fill-site' : 'why.other-city';
    case 'move': {
      if (builtHere) return 'why.built-here';
      if (city.winners) return 'why.scored';
      const seat = view.viewer;
      const owns = [...city.left, ...city.right].some((owner) => owner === seat);
      return owns ? 'why.empty-site' : 'why.no-floor';
    }
    default:
      return 'why.not-now';
  }
}

export function whyNotCard(step: Step | null, city: ViewCity): Reason {
  if (step === null) return 'why.not-your-turn';
  if (step.kind === 'draw' && city.card === null) return 'why.no-card';
  if (step.kind === 'card') return 'why.card-first';
  return step.kind === 'ready' ? 'why.forced-draw' : 'why.not-now';
}

export function whyNotPair(view: View, built: string | null, pair: string): Reason {
  const cities = pair.split('-');
  if (view.messengers.some((laid) => laid === pair)) return 'why.messenger-pair';
  const full = view.cities.some((city) => cities.includes(city.code) && city.messengers >= 2);
  if (full) return 'why.messenger-two';
  return built !== null && cities.includes(built) ? 'why.messenger-city-built' : 'why.not-now';
}
