import { beforeAll, expect, it } from 'vitest';
import { speak } from '../../src/lib/i18n.svelte';
import { setupFacts } from '../../src/words/setup';

beforeAll(() => speak('en'));

it('says what is played, the clock included', () => {
  const pace = { kind: 'realtime', base: 600, increment: 10 } as const;
  const facts = setupFacts({ players: 2, rules: ['messengers'], pace, rated: true });
  expect(facts).toEqual(['2 players', 'Messengers', '10 min + 10 s a turn', 'rated']);
  expect(setupFacts({ players: 3, pace: { kind: 'none' } })).toEqual(['3 players']);
});
