import { describe, expect, it } from 'vitest';
import { Reel, type ReelState } from '../../src/replay/reel';
import type { Pace } from '../../src/story/presenter';
import { record, view } from '../learn/positions';

function setUp(at = 0, pace: Pace = 'calm') {
  const waits: { then: () => void; ms: number }[] = [];
  const states: ReelState[] = [];
  const replay = {
    frames: [0, 1, 2, 3].map((turn) => view({ turn })),
    turns: ['PA4:L', 'MI3:R+PA', 'PA1:LR'].map((move) => record(move)),
    standings: [{}, {}, {}],
  };
  const reel = new Reel(
    replay,
    {
      onChange: (state) => states.push(state),
      pace: () => pace,
      wait: (then, ms) => {
        const item = { then, ms };
        waits.push(item);
        return () => waits.splice(waits.indexOf(item), 1);
      },
    },
    at,
  );
  const pass = () => waits.shift()?.then();
  const passAll = () => {
    while (waits.length) pass();
  };
  return { reel, states, waits, pass, passAll };
}

describe('a reel', () => {
  it('begins where it is told, within the game', () => {
    expect(setUp(2).reel.state.at).toBe(2);
    expect(setUp(99).reel.state.at).toBe(3);
    expect(setUp(-1).reel.state.at).toBe(0);
    expect(setUp(NaN).reel.state.at).toBe(0);
    expect(setUp(1.7).reel.state.at).toBe(1);
  });

  it('plays the next turn out', () => {
    const { reel, passAll } = setUp();
    reel.next();
    expect(reel.state).toMatchObject({ at: 0, running: false });
    expect(reel.state.frame?.event.kind).toBe('card');
    expect(reel.turn).toBe(0);
    passAll();
    expect(reel.state).toEqual({ at: 1, running: false, frame: null });
    expect(reel.turn).toBe(0);
  });

  it('goes one turn on with every press, however fast they come', () => {
    const { reel, waits, passAll } = setUp();
    reel.next();
    reel.next();
    expect(reel.state).toMatchObject({ at: 1, running: false });
    expect(reel.state.frame?.event.kind).toBe('card');
    expect(waits).toHaveLength(1);
    reel.next();
    expect(reel.turn).toBe(2);
    passAll();
    expect(reel.state).toEqual({ at: 3, running: false, frame: null });
  });

  it('ends the last turn at once if there is no other', () => {
    const { reel, waits } = setUp(2);
    reel.next();
    reel.next();
    expect(reel.state).toEqual({ at: 3, running: false, frame: null });
    expect(waits).toHaveLength(0);
  });

  it('keeps running when it is pressed on', () => {
    const { reel, passAll } = setUp();
    reel.run();
    reel.next();
    expect(reel.state).toMatchObject({ at: 1, running: true });
    expect(reel.state.frame?.event.kind).toBe('card');
    passAll();
    expect(reel.state).toEqual({ at: 3, running: false, frame: null });
  });

  it('jumps at once, also out of a turn', () => {
    const { reel, waits } = setUp();
    reel.next();
    reel.jump(3);
    expect(reel.state).toEqual({ at: 3, running: false, frame: null });
    expect(waits).toHaveLength(0);
  });

  it('goes back; out of a turn, to where that turn began', () => {
    const { reel, pass } = setUp(2);
    reel.back();
    expect(reel.state.at).toBe(1);
    reel.next();
    pass();
    reel.back();
    expect(reel.state).toEqual({ at: 1, running: false, frame: null });
    reel.jump(0);
    reel.back();
    expect(reel.state.at).toBe(0);
  });

  it('runs to the end with a breath between turns, and stops there', () => {
    const { reel, states, passAll } = setUp();
    reel.run();
    expect(reel.state.running).toBe(true);
    passAll();
    expect(reel.state).toEqual({ at: 3, running: false, frame: null });
    expect([...new Set(states.map((state) => state.at))]).toEqual([0, 1, 2, 3]);
  });

  it('runs from the beginning where the end is shown', () => {
    const { reel } = setUp(3);
    reel.toggle();
    expect(reel.state).toMatchObject({ at: 0, running: true });
  });

  it('pauses: what is being shown ends, and nothing follows', () => {
    const { reel, waits } = setUp();
    reel.toggle();
    reel.toggle();
    expect(reel.state).toEqual({ at: 1, running: false, frame: null });
    expect(waits).toHaveLength(0);
  });

  it('pauses between two turns', () => {
    const { reel, waits, pass } = setUp(0, 'instant');
    reel.run();
    expect(reel.state).toMatchObject({ at: 1, running: true });
    expect(waits).toHaveLength(1);
    reel.pause();
    expect(waits).toHaveLength(0);
    pass();
    expect(reel.state.at).toBe(1);
  });

  it('does nothing behind the end', () => {
    const { reel } = setUp(3);
    reel.next();
    expect(reel.state).toEqual({ at: 3, running: false, frame: null });
  });
});
