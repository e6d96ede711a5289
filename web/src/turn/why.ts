/** Why something cannot be chosen now: it is not the step for it, or the server gives the reason. */

import type { Bar, SeatView, ViewCityCode, ViewPair } from '../protocol';
import type { Draft, Step } from './draft';
import type { Tower } from './notation';

export type Barred = SeatView['barred'];

/** The key of a text, after `why.` */
export type Reason = Bar | 'not-your-turn' | 'card-first' | 'other-city' | 'not-now';

export function whyNotSite(barred: Barred, step: Step | null, draft: Draft, at: Tower): Reason {
  switch (step?.kind) {
    case undefined:
      return 'not-your-turn';
    case 'card':
      return 'card-first';
    case 'site': {
      const sites = [...draft.sites, at.site].sort().join('');
      return at.city === step.city ? barring(barred, `${draft.card}:${sites}`) : 'other-city';
    }
    case 'move': {
      const city = `>${at.city}`;
      return barring(barred, draft.card + city, city, `${city}.${at.site}`);
    }
    default:
      return 'not-now';
  }
}

export function whyNotCard(
  barred: Barred,
  step: Step | null,
  draft: Draft,
  city: ViewCityCode,
): Reason {
  switch (step?.kind) {
    case undefined:
      return 'not-your-turn';
    case 'card':
      return 'card-first';
    case 'draw':
    case 'ready':
      return barring(barred, `+${city}`, `${draft.card}+`);
    default:
      return 'not-now';
  }
}

export function whyNotPair(barred: Barred, pair: ViewPair): Reason {
  return barring(barred, `@${pair}`);
}

/** The reason for the first of these steps that is barred. */
function barring(barred: Barred, ...steps: string[]): Reason {
  const bars = Object.keys(barred) as Bar[];
  for (const step of steps) {
    const bar = bars.find((each) => barred[each]?.includes(step));
    if (bar) return bar;
  }
  return 'not-now';
}
