import { beforeAll, expect, it } from 'vitest';
import { speak, t } from '../../src/lib/i18n.svelte';
import { add, Choices, EMPTY } from '../../src/turn/draft';
import { promptFor } from '../../src/words/prompt';
import { cardName } from '../../src/words/sentences';
import { view } from '../learn/positions';

beforeAll(() => speak('en'));

const legal = ['MI3:L+MI', 'MI3:L+PA', 'MI3:R+MI', 'MI3:R+PA', 'PA4:L', 'PA4:R'];
const here = view({ legal });

function promptOf(card: string) {
  const choices = new Choices(legal);
  const draft = add(EMPTY, { card });
  return promptFor(here, choices.next(draft), draft);
}

it('names the card that a turn brings', () => {
  expect(promptOf('PA4').more).toBe(t('prompt.takes', { card: cardName(here.deck, 'FI3') }));
});

it('names no card while any of them can be taken', () => {
  expect(promptOf('MI3').more).toBe(t('prompt.site.free-draw'));
});

it('promises no card when there are none left', () => {
  const step = { kind: 'card' } as const;
  const last = { ...here, cities: here.cities.map((city) => ({ ...city, card: null })) };
  expect(promptFor(here, step as never, EMPTY).more).toBe(t('prompt.card.more'));
  expect(promptFor(last, step as never, EMPTY).more).toBe(t('prompt.card.last'));
});
