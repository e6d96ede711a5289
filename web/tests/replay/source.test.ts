import { describe, expect, it } from 'vitest';
import { ApiProblem } from '../../src/lib/api';
import { speak } from '../../src/lib/i18n.svelte';
import { LONGEST, ofRecord } from '../../src/lib/records';
import { brokenBy, tagName, worthTelling } from '../../src/replay/source';

const illegal = (line: number) =>
  new ApiProblem(422, 'illegal', 'in English', 'rule-hand', {
    line,
    card: 'BO1',
    seat: 2,
    why: 'in English',
  });

describe('a broken record', () => {
  it('is shown with its line and the reason', async () => {
    await speak('de');
    expect(brokenBy(illegal(3), '[Game "Patrizier"]\n\n  1. BO1:L \n')).toEqual({
      code: 'illegal',
      said: 'Die Aufzeichnung hat einen Fehler in Zeile 3.',
      why: 'BO1 ist nicht auf der Hand von Spieler 2.',
      line: 3,
      quote: '1. BO1:L',
    });
  });

  it('may have no line, or one that is very long', () => {
    expect(brokenBy(new ApiProblem(422, 'invalid', 'no game'))).toMatchObject({ line: null });
    expect(brokenBy(illegal(1), 'x'.repeat(500)).quote).toHaveLength(158);
    expect(brokenBy(illegal(1), '').quote).toBe('');
  });

  it('is not sent if it is far too long', async () => {
    await expect(ofRecord('x'.repeat(LONGEST + 1))).rejects.toMatchObject({ code: 'too-long' });
  });

  it('may be something else altogether', () => {
    expect(brokenBy(new TypeError('oops'))).toMatchObject({
      code: 'error',
      said: 'Etwas ist schiefgegangen: oops',
    });
  });
});

describe('tags worth telling', () => {
  it('are those that the page does not show anyway', () => {
    const tags = {
      Game: 'Patrizier',
      Deal: 'BO1',
      Result: '*',
      Event: 'The \\"Cup\\"',
      Deck: 'classic',
    };
    expect(worthTelling(tags)).toEqual([
      ['Event', 'The "Cup"'],
      ['Deck', 'classic'],
    ]);
  });

  it('have names in the reader’s language, unless nobody knows them', async () => {
    await speak('de');
    expect(['Contributions', 'Deck', 'Weather', 'toString'].map(tagName)).toEqual([
      'Zahlen der Spieler',
      'Kartensatz',
      'Weather',
      'toString',
    ]);
    await speak('en');
  });
});
