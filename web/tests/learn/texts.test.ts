import { describe, expect, it } from 'vitest';
import { SCENES } from '../../src/learn/progress';
import de from '../../src/texts/de/learn.json';
import en from '../../src/texts/en/learn.json';
import it_ from '../../src/texts/it/learn.json';
import nl from '../../src/texts/nl/learn.json';
import type { LessonName, WhyNot } from '../../src/protocol';

/** Every way in which each task can be missed, as the server tells it. */
const REASONS: Record<LessonName, WhyNot[]> = {
  build: [],
  complete: ['other-city', 'other-card'],
  tie: ['other-city', 'other-card', 'wrong-site'],
  'empty-site': ['other-city', 'other-card'],
  'last-cards': [],
  'free-draw': ['other-card', 'same-city'],
  move: ['other-card', 'no-move', 'wrong-floor'],
  portraits: ['no-set'],
  double: ['other-card', 'wrong-site'],
  messenger: ['other-card', 'no-messenger', 'wrong-cities'],
};

describe.each(Object.entries({ en, de, nl, it: it_ }))('the quick start in %s', (_, texts) => {
  it('tells every scene, and answers every mistake', () => {
    const keys = SCENES.flatMap((name) => [
      ...['title', 'about', 'task', 'done'].map((part) => `learn.${name}.${part}`),
      ...REASONS[name].map((why) => `learn.${name}.why.${why}`),
    ]);
    expect(keys.filter((key) => !(key in texts))).toEqual([]);
    const scenes = Object.keys(texts).filter((key) => key.includes('.why.'));
    expect(scenes.filter((key) => !keys.includes(key))).toEqual([]);
  });
});
