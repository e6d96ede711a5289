import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Heard } from '../../src/story/sound';
import { soundOfStep } from '../../src/story/sound';
import { EMPTY, type Draft } from '../../src/turn/draft';

let rung: number[] = []; // frequencies
let state = 'running';
let allow: () => void = () => {};

class Node {
  readonly gain = {
    setValueAtTime: () => {},
    linearRampToValueAtTime: () => {},
    exponentialRampToValueAtTime: () => {},
  };
  connect = (next: Node) => next;
  start = () => {};
  stop = () => {};
}

class Oscillator extends Node {
  constructor(_context: unknown, { frequency }: { frequency: number }) {
    super();
    rung.push(frequency);
  }
}

class Context {
  readonly currentTime = 0;
  readonly destination = new Node();
  get state() {
    return state;
  }
  resume = () => new Promise<void>((done) => (allow = done));
}

/** A page of its own: it makes its audio context at the first sound. */
async function heard(...what: Heard[]): Promise<number[]> {
  vi.resetModules();
  const { sound } = await import('../../src/story/sound');
  what.forEach(sound);
  return rung;
}

beforeEach(() => {
  rung = [];
  state = 'running';
  vi.stubGlobal('AudioContext', Context);
  vi.stubGlobal('OscillatorNode', Oscillator);
  vi.stubGlobal('GainNode', Node);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('tells stone from paper, words and victory', async () => {
  const stone = [...(await heard('floor'))];
  rung = [];
  const paper = [...(await heard('card'))];
  rung = [];
  const victory = [...(await heard('won'))];
  rung = [];
  const words = [...(await heard('said'))];
  expect(new Set([stone, paper, victory, words].map(String)).size).toBe(4);
  expect(victory).toEqual([...victory].sort((one, two) => one - two)); // it rises
});

it('does not make up for what was missed before the page was touched', async () => {
  vi.useFakeTimers();
  state = 'suspended';
  await heard('floor');
  vi.advanceTimersByTime(5000);
  allow();
  await vi.advanceTimersByTimeAsync(0);
  expect(rung).toEqual([]);
  await heard('floor');
  allow(); // the first touch is the one that sounds
  await vi.advanceTimersByTimeAsync(0);
  expect(rung).toHaveLength(1);
});

it('sounds when a turn grows by a step, and not when one is taken back', () => {
  const card: Draft = { ...EMPTY, card: 'LU3' };
  const built: Draft = { ...card, sites: ['L'] };
  const moved: Draft = { ...built, move: { city: 'MI', site: 'R' } };
  const drawn: Draft = { ...moved, draw: 'BO' };
  const laid: Draft = { ...drawn, messenger: 'MI-PA' };
  const steps = [EMPTY, card, built, moved, drawn, laid];
  const up = steps.slice(1).map((each, at) => soundOfStep(steps[at]!, each));
  expect(up).toEqual(['card', 'floor', 'moved', 'drawn', 'messenger']);
  const down = steps.slice(1).map((each, at) => soundOfStep(each, steps[at]!));
  expect(down).toEqual([null, null, null, null, null]);
  expect(soundOfStep(built, { ...EMPTY, card: 'SI1' })).toBe('card'); // another one instead
  expect(soundOfStep(built, { ...built, move: 'none' })).toBeNull();
  expect(soundOfStep(drawn, { ...drawn, messenger: 'none' })).toBeNull();
});
