import { expect, it } from 'vitest';
import type { Event, Frame } from '../../src/story/frames';
import { Presenter, type Pace } from '../../src/story/presenter';
import { board } from '../turn/table';

function frame(kind: Event['kind']): Frame {
  return { board: board([]), event: { kind } as Event };
}

function set(pace: Pace = 'calm') {
  const seen: string[] = [];
  const timers: (() => void)[] = [];
  const presenter = new Presenter<string>({
    onFrame: (each) => seen.push(each.event.kind),
    onSettle: (settled) => seen.push(settled),
    pace: () => pace,
    wait: (then) => {
      timers.push(then);
      return () => timers.splice(timers.indexOf(then), 1);
    },
  });
  return { presenter, seen, tick: () => timers.shift()?.(), timers };
}

it('shows one picture after the other, and then how the table is', () => {
  const { presenter, seen, tick } = set();
  presenter.push([frame('card'), frame('floor')], 'one');
  expect(seen).toEqual(['card']);
  expect(presenter.isBusy).toBe(true);
  tick();
  expect(seen).toEqual(['card', 'floor']);
  tick();
  expect(seen).toEqual(['card', 'floor', 'one']);
  expect(presenter.isBusy).toBe(false);
});

it('queues what comes meanwhile', () => {
  const { presenter, seen, tick } = set();
  presenter.push([frame('card')], 'one');
  presenter.push([frame('drawn')], 'two');
  tick();
  expect(seen).toEqual(['card', 'one', 'drawn']);
  tick();
  expect(seen).toEqual(['card', 'one', 'drawn', 'two']);
});

it('skips to the end', () => {
  const { presenter, seen, timers } = set();
  presenter.push([frame('card'), frame('floor')], 'one');
  presenter.push([frame('drawn')], 'two');
  presenter.skip();
  expect(seen).toEqual(['card', 'one', 'two']);
  expect(timers).toEqual([]);
  expect(presenter.isBusy).toBe(false);
});

it('waits for nobody at the instant pace', () => {
  const { presenter, seen } = set('instant');
  presenter.push([frame('card'), frame('floor')], 'one');
  expect(seen).toEqual(['one']);
});
