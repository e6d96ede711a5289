import { describe, expect, it } from 'vitest';
import {
  checkDeal,
  commitmentOf,
  derive,
  noted,
  optionsText,
  readTags,
  tableMark,
  type DealNote,
} from '../../src/play/deal';
import vectors from './deal-vectors.json';

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
    const given = vector.contributions.filter((each) => each !== null);
    const note: DealNote = { ...vector, contributions: given };
    const checks = checkDeal(vector.record, vector.table, note);
    const wrong = checks.filter((check) => !check.holds).map((check) => check.about);
    expect(wrong).toEqual(given.length ? [] : ['contributions']);
    expect(checks.map((check) => check.about)).toEqual(
      ['table', 'seen', 'commitment', 'contributions', ...(given.length ? ['mine'] : [])].concat([
        'deal',
        'start',
      ]),
    );
  });
});

describe('a deal that was not the committed one', () => {
  const vector = vectors[1]!;
  const wrong = (record: string, table = vector.table, note: DealNote | null = null) =>
    checkDeal(record, table, note)
      .filter((check) => !check.holds)
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
    const other = { table, commitment: 'cd'.repeat(32), contributions: [] };
    expect(wrong(vector.record, table, other)).toEqual(['seen']);
    const mine = { table, commitment, contributions: ['ef'.repeat(32)] };
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

describe('notes', () => {
  it('gather the contributions of a table', () => {
    const one = noted([], 'a', 'c', '1');
    expect(noted(one, 'a', 'c', '2')).toEqual([
      { table: 'a', commitment: 'c', contributions: ['1', '2'] },
    ]);
  });

  it('begin anew where the commitment is another one', () => {
    const one = noted([], 'a', 'c', '1');
    expect(noted(one, 'a', 'd', '2')).toEqual([
      { table: 'a', commitment: 'd', contributions: ['2'] },
    ]);
  });

  it('forget the oldest games', () => {
    let notes: DealNote[] = [];
    for (let game = 0; game < 100; game += 1) notes = noted(notes, `table ${game}`, 'c', '1');
    expect(notes).toHaveLength(60);
    expect(notes.at(-1)?.table).toBe('table 99');
  });
});
