/** The prompt: one line that says what to do next, and a second one for what follows. */

import { CITIES } from '../art/cities';
import { t } from '../lib/i18n.svelte';
import type { Denial } from '../turn/controller.svelte';
import type { Draft, Step } from '../turn/draft';
import { cardName, playedSentence, scoredSentence, type People } from './sentences';
import type { View, ViewCityCode, ViewRecord } from '../protocol';

export interface Prompt {
  line: string;
  more: string;
  told?: boolean; // it says what is happening instead of what to do
}

export function promptFor(view: View, step: Step, draft: Draft): Prompt {
  const city = draft.card ? CITIES[draft.card.slice(0, 2) as keyof typeof CITIES].name : '';
  switch (step.kind) {
    case 'card':
      return {
        line: t('prompt.card'),
        more: t(view.cities.some((each) => each.card) ? 'prompt.card.more' : 'prompt.card.last'),
      };
    case 'site':
      return {
        line: t(draft.sites.length ? 'prompt.site-second' : 'prompt.site', { city }),
        more:
          step.left > 1
            ? t('prompt.site.two')
            : step.sites.length === 1
              ? t('prompt.site.only')
              : step.takes
                ? takes(view, step.takes)
                : t('prompt.site.free-draw'),
      };
    case 'move':
      return { line: t('prompt.move'), more: t('prompt.move.more') };
    case 'draw':
      return { line: t('prompt.draw'), more: t('prompt.draw.more') };
    case 'messenger':
      return { line: t('prompt.messenger'), more: t('prompt.messenger.more') };
    case 'ready':
      return {
        line: t(step.messengerFollows ? 'prompt.ready-messenger' : 'prompt.ready'),
        more: view.phase === 'messenger' ? '' : takes(view, step.takes),
      };
  }
}

/** The summary of a turn, while it is animated and until the next one. */
export function narration(people: People, view: View, record: ViewRecord, short = false): Prompt {
  return {
    line: playedSentence(people, view.deck, record, short),
    more: scoredSentence(people, record),
    told: true,
  };
}

/** The card that this turn draws. */
function takes(view: View, place: ViewCityCode): string {
  const card = view.cities.find((city) => city.code === place)?.card;
  return card ? t('prompt.takes', { card: cardName(view.deck, card) }) : '';
}

/** Why something that was touched cannot be chosen. */
export function denialOf({ reason, city }: Denial): string {
  return t(`why.${reason}`, { city: city ? CITIES[city].name : '' });
}
