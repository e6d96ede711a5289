import { describe, expect, it } from 'vitest';
import {
  checkDeal,
  commitmentOf,
  derive,
  optionsText,
  readTags,
  tableMark,
  verdictOf,
} from '../../src/deal/check';
import type { DealNote } from '../../src/deal/notes';
import vectors from './vectors.json';

it('writes the rules in the order of the engine, however a record has them', () => {
  const rules = ['open-tokens', 'open-ledger', 'messenger-at-built-city', 'messengers'];
  const text = optionsText({ Players: '3', Rules: rules.join(',') });
  expect(text.split(';')[1]).toBe('messengers,messenger-at-built-city,open-ledger,open-tokens');
});

describe.each(vectors)('the deal of $table ($players players)', (vector) => {
  const tags = readTags(vector.record);

  it('has this mark, these options and this commitment', () => {
    expect(tableMark(vector.table)).toBe(vector.mark);
    expect(optionsText(tags)).toBe(vector.options);
    expect(commitmentOf(vector.secret, vector.mark, vector.options)).toBe(vector.commitment);
  });

  it('follows from the secret and the contributions', () => {
    const { secret, commitment, contributions, deal, start } = vector;
    expect(derive(secret, commitment, tags, contributions)).toEqual({ deal, start });
  });

  it('is checked as a whole', () => {
    const given = vector.contributions.flatMap((each, seat) => (each ? [[seat, each]] : []));
    const note: DealNote = { ...vector, numbers: Object.fromEntries(given) };
    const checks = checkDeal(vector.record, vector.table, note);
    expect(checks.map((check) => check.about)).toEqual([
      'table',
      'seen',
      'commitment',
      'contributions',
      'mine',
      'deal',
      'start',
    ]);
    const wrong = checks.filter((check) => !check.holds).map((check) => check.about);
    expect(wrong).toEqual(given.length ? [] : ['contributions', 'mine']);
    expect(verdictOf(checks)).toBe(given.length ? 'holds' : 'fails');
  });
});

describe('a deal of which too little was noted', () => {
  const { record, table, commitment, contributions } = vectors[1]!;
  const judged = (note: DealNote | null) => {
    const checks = checkDeal(record, table, note);
    const open = checks.filter((check) => check.holds === null).map((check) => check.about);
    return [verdictOf(checks), ...open];
  };
  const seat = contributions.findIndex((each) => each !== null);
  const mine = { [seat]: contributions[seat]! };

  it('is not called honest, although the record agrees with itself', () => {
    expect(judged(null)).toEqual(['open', 'seen', 'mine']);
    expect(judged({ table, commitment, numbers: {} })).toEqual(['open', 'mine']);
  });

  it('is called honest with both notes, and stacked with a wrong one', () => {
    expect(judged({ table, commitment, numbers: mine })).toEqual(['holds']);
    expect(judged({ table, commitment: 'cd'.repeat(32), numbers: mine })).toEqual(['fails']);
  });

  it('needs one of my numbers, on its own seat', () => {
    expect(judged({ table, commitment, numbers: { ...mine, 9: 'ef'.repeat(32) } })).toEqual([
      'holds',
    ]);
    const elsewhere = { [seat + 1]: contributions[seat]! };
    expect(judged({ table, commitment, numbers: elsewhere })).toEqual(['fails']);
  });
});

describe('a deal that was not the committed one', () => {
  const vector = vectors[1]!;
  const wrong = (record: string, table = vector.table, note: DealNote | null = null) =>
    checkDeal(record, table, note)
      .filter((check) => check.holds === false)
      .map((check) => check.about);
  const change = (tag: string, to: string) =>
    vector.record.replace(new RegExp(`\\[${tag} "[^"]*"\\]`), `[${tag} "${to}"]`);

  it('is found out by another secret', () => {
    expect(wrong(change('Secret', 'ab'.repeat(32)))).toContain('commitment');
    expect(wrong(change('Secret', 'ab'.repeat(32)))).toContain('deal');
  });

  it('is found out by other cards, or another beginner', () => {
    const deal = vector.deal.replace(/^(\w+) (\w+)/, '$2 $1');
    expect(wrong(change('Deal', deal))).toEqual(['deal']);
    expect(wrong(change('Start', String(((vector.start + 1) % 3) + 1)))).toEqual(['start']);
  });

  it('is found out by other options or contributions', () => {
    expect(wrong(change('Rules', ''))).toEqual(['commitment']);
    expect(wrong(change('Contributions', `-/-/${'12'.repeat(32)}`))).toContain('deal');
  });

  it('is found out by what was noted before the game', () => {
    const { table, commitment } = vector;
    expect(wrong(vector.record, 'another-table-of-theirs')).toEqual(['table']);
    const other = { table, commitment: 'cd'.repeat(32), numbers: {} };
    expect(wrong(vector.record, table, other)).toEqual(['seen']);
    const mine = { table, commitment, numbers: { 0: 'ef'.repeat(32) } };
    expect(wrong(vector.record, table, mine)).toEqual(['mine']);
  });

  it.each(['Players', 'Table', 'Commitment', 'Secret', 'Contributions', 'Deal', 'Start'])(
    'cannot be checked without the tag %s',
    (tag) => {
      const record = vector.record.replace(new RegExp(`\\[${tag} "[^"]*"\\]\n`), '');
      expect(checkDeal(record, vector.table)).toEqual([
        { about: 'record', holds: false, seats: [], value: tag },
      ]);
    },
  );

  it('cannot be checked when a deck of its own is not written out', () => {
    const record = change('Deck', 'house');
    expect(checkDeal(record, vector.table)[0]).toMatchObject({ about: 'record', value: 'Cards' });
  });
});

describe('tags', () => {
  it('are read with their quoted signs, and end where the turns begin', () => {
    const tags = readTags('\uFEFF[Game "Patrizier"]\r\n[Event "\\"A\\\\B\\""]\r\n\r\n[Deal "x"]');
    expect(tags).toEqual({ Game: 'Patrizier', Event: '"A\\B"' });
  });

  it('are those of the first game', () => {
    expect(readTags('[Game "Patrizier"]\n[Players "2"]\n[Game "Other"]').Game).toBe('Patrizier');
  });
});
