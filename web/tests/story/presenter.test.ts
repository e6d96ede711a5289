import { expect, it } from 'vitest';
import type { Event, Frame } from '../../src/story/frames';
import { Presenter, type Pace } from '../../src/story/presenter';
import { record } from '../learn/positions';
import { board } from '../turn/table';

function frame(kind: Event['kind'], turn = 1): Frame {
  return { board: board([]), event: { kind } as Event, record: record('PA4:L', { turn }) };
}

function set(pace: Pace = 'calm', hurried?: () => boolean) {
  const seen: string[] = [];
  const stays: number[] = [];
  const timers: (() => void)[] = [];
  const presenter = new Presenter<string>({
    onFrame: (each) => seen.push(each.event.kind),
    onSettle: (settled) => seen.push(settled),
    pace: () => pace,
    hurried,
    wait: (then, ms) => {
      stays.push(ms);
      timers.push(then);
      return () => timers.splice(timers.indexOf(then), 1);
    },
  });
  return { presenter, seen, stays, tick: () => timers.shift()?.(), timers };
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

function tellThree(hurried?: () => boolean): number[] {
  const { presenter, stays, tick } = set('calm', hurried);
  presenter.push([frame('card', 1)], 'first is shown as if it were alone');
  for (const turn of [2, 3, 4]) presenter.push([frame('card', turn), frame('refill', turn)], '');
  for (let left = 7; left; left -= 1) tick();
  return stays;
}

it('tells faster while more turns are waiting, and lets them overlap', () => {
  const [alone, second, refill, third, refilled, last, end] = tellThree();
  expect(second).toBeLessThan(third!);
  expect(third).toBeLessThan(last!);
  expect(last).toBe(alone);
  expect(refill).toBeLessThan(refilled!);
  expect(refilled).toBeLessThan(third!);
  expect(end).toBe(last); // of a card and its refill
});

it('takes its time with what is shown again', () => {
  expect(new Set(tellThree(() => false)).size).toBe(1);
});
