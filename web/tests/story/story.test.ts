import { describe, expect, it } from 'vitest';
import { Story } from '../../src/story/story';
import type { TableMessage, TurnEntry, View, ViewRecord } from '../../src/protocol';
import { record, view } from '../learn/positions';
import { standing } from '../turn/table';

function at(turn: number, more: Partial<View> = {}): TableMessage {
  const views = [{ seat: 0, view: view({ turn, ...more }), standings: { 'PA4:L': MARK } }];
  return { turn, views, you: { seats: [0] } } as unknown as TableMessage;
}

const MARK = standing('L', [1, null]);

function turn(number: number, move: string, more: Partial<ViewRecord> = {}): TurnEntry {
  const told = record(move, { turn: number, seat: 1, ...more });
  return { kind: 'turn', seq: number, at: 0, by: 'bot', record: told, standings: {} };
}

function kinds(
  story: Story,
  before: TableMessage | null,
  now: TableMessage,
  ...turns: TurnEntry[]
) {
  return story.tell(before, now, turns).map(({ event }) => event.kind);
}

describe('the story of a table', () => {
  it('begins when somebody comes, and tells of turns one after the other', () => {
    const story = new Story();
    const [first, second] = [at(4), at(6)];
    expect(kinds(story, null, first)).toEqual([]);
    const told = [turn(5, 'PA4:L'), turn(6, 'MI3:R')];
    expect(kinds(story, first, second, ...told)).toEqual(['card', 'floor', 'card', 'floor']);
  });

  it('lays the next turn onto what the one before has left', () => {
    const story = new Story();
    story.tell(null, at(4), []);
    const frames = story.tell(at(4), at(6), [turn(5, 'PA4:L'), turn(6, 'PA1:LL')]);
    expect(frames.at(-1)?.board.cities[1]?.left).toEqual([1, 1, 1]);
  });

  it('tells a turn under way as far as it has gone, and each part once', () => {
    const story = new Story();
    const half = at(4, { pending: record('PA4:L', { seat: 1 }) });
    story.tell(null, at(4), []);
    expect(kinds(story, at(4), half)).toEqual(['card', 'floor']);
    const whole = turn(5, 'PA4:L@LU-MI', { drawn: 'FI3' });
    expect(kinds(story, half, at(5), whole)).toEqual(['drawn', 'messenger']);
  });

  it('says nothing of what I laid myself', () => {
    const story = new Story();
    story.tell(null, at(4), []);
    const mine = { ...turn(5, 'PA4:L', { seat: 0, drawn: 'FI3' }), by: 'person' as const };
    expect(kinds(story, at(4), at(5), mine)).toEqual(['drawn']);
  });

  it('leaves out a turn that had begun before anybody looked', () => {
    const story = new Story();
    const half = at(4, { pending: record('PA4:L', { seat: 1 }) });
    expect(kinds(story, null, half)).toEqual([]);
    expect(kinds(story, half, at(5), turn(5, 'PA4:L'))).toEqual([]);
    expect(kinds(story, at(5), at(6), turn(6, 'PA4:L'))).toEqual(['card', 'floor']);
  });

  it('does not tell of turns with a gap, of too many, or of those taken back', () => {
    const story = new Story();
    story.tell(null, at(4), []);
    expect(kinds(story, at(4), at(6), turn(6, 'PA4:L'))).toEqual([]);
    const many = [7, 8, 9, 10, 11, 12, 13].map((number) => turn(number, 'PA4:L'));
    expect(kinds(story, at(6), at(13), ...many)).toEqual([]);
    expect(kinds(story, at(13), at(4))).toEqual([]);
    expect(kinds(story, at(4), at(5), turn(5, 'PA4:L'))).toEqual(['card', 'floor']);
  });

  it('begins anew where a part of a turn was taken back', () => {
    const story = new Story();
    const half = at(4, { pending: record('PA4:L', { seat: 1 }) });
    story.tell(null, at(4), []);
    story.tell(at(4), half, []);
    expect(kinds(story, half, at(4))).toEqual([]);
    expect(kinds(story, at(4), half)).toEqual(['card', 'floor']);
  });

  it('is silent where there is nothing to see', () => {
    const outside = { turn: 4, views: [] } as unknown as TableMessage;
    expect(kinds(new Story(), null, outside)).toEqual([]);
  });
});
