import { describe, expect, it, vi } from 'vitest';
import { Scene } from '../../src/learn/scene.svelte';
import type { LessonAnswer, LessonBody } from '../../src/protocol';
import { answer, city, record, view } from './positions';

let atOnce = false;

function setUp(...answers: (LessonAnswer | Error)[]) {
  const asked: LessonBody[] = [];
  const waits: (() => void)[] = [];
  const shown: string[] = [];
  const scene = new Scene({
    play: async (body) => {
      asked.push(body);
      const next = answers.shift();
      if (!next || next instanceof Error) throw next ?? new Error('nothing more');
      return next;
    },
    pace: () => 'calm',
    atOnce: () => atOnce,
    wait: (then) => {
      if (scene.frame) shown.push(scene.frame.event.kind);
      waits.push(then);
      return () => waits.splice(waits.indexOf(then), 1);
    },
  });
  const showAll = () => {
    while (waits.length) waits.shift()?.();
  };
  return { scene, asked, shown, waits, showAll };
}

const right = answer({
  done: true,
  reached: true,
  record: record('PA4:L', { drawn: 'FI3', refill: 'PA1' }),
  view: view({ turn: 5, legal: [], cities: [city('MI'), city('PA', { left: [0], card: 'PA1' })] }),
});
const wrong = answer({
  done: true,
  why: 'other-city',
  record: record('MI3:L+PA'),
  view: view({ legal: [] }),
});

describe('a scene', () => {
  it('asks for its beginning, then for a card', async () => {
    const { scene, asked } = setUp(answer());
    expect(scene.stage).toBe('loading');
    await scene.open();
    expect(asked).toEqual([{}]);
    expect(scene.stage).toBe('asking');
    expect(scene.turn.playable).toEqual(['PA4', 'MI3']);
    expect(scene.turn.step).toEqual({ kind: 'card', cards: ['PA4', 'MI3'] });
  });

  it('begins at once where its beginning is known', async () => {
    const { scene, asked } = setUp();
    await scene.open(answer());
    expect(asked).toEqual([]);
    expect(scene.stage).toBe('asking');
  });

  it('lays the turn out step by step, and takes it back', async () => {
    const { scene } = setUp();
    await scene.open(answer());
    expect(scene.turn.choose({ site: 'L' })).toBe(false);
    expect(scene.turn.canGoBack).toBe(false);
    expect(scene.turn.choose({ card: 'PA4' })).toBe(true);
    expect(scene.turn.choose({ site: 'L' })).toBe(true);
    expect(scene.turn.step?.kind).toBe('ready');
    const built = scene.board?.cities.find((each) => each.code === 'PA');
    expect(built?.left).toEqual([0]);
    scene.turn.back();
    scene.turn.back();
    expect(scene.turn).toMatchObject({ canGoBack: false, step: { kind: 'card' } });
  });

  it('lets another card be chosen instead', async () => {
    const { scene } = setUp();
    await scene.open(answer());
    scene.turn.choose({ card: 'PA4' });
    scene.turn.choose({ site: 'L' });
    scene.turn.choose({ card: 'MI3' });
    expect(scene.turn.draft).toMatchObject({ card: 'MI3', sites: [] });
  });

  it('shows what a turn brings, then says that it was right', async () => {
    const { scene, asked, shown, showAll } = setUp(right);
    await scene.open(answer());
    scene.turn.choose({ card: 'PA4' });
    scene.turn.choose({ site: 'L' });
    await scene.endTurn();
    expect(asked).toEqual([{ moves: ['PA4:L'] }]);
    expect(scene.stage).toBe('showing');
    showAll();
    expect(scene).toMatchObject({ stage: 'right', frame: null, wrong: 0 });
    expect(scene.turn.step).toBeNull();
    expect(shown).toEqual(['drawn', 'refill']); // what was laid is no news
  });

  it('ends the turn by itself, if the learner likes it so', async () => {
    atOnce = true;
    const { scene, asked } = setUp(right);
    await scene.open(answer());
    scene.turn.choose({ card: 'PA4' });
    scene.turn.choose({ site: 'L' });
    atOnce = false;
    await vi.waitFor(() => expect(scene.stage).toBe('showing'));
    expect(asked).toEqual([{ moves: ['PA4:L'] }]);
  });

  it('says why it was not, and begins anew without asking', async () => {
    const { scene, asked, showAll } = setUp(wrong);
    await scene.open(answer());
    scene.turn.choose({ card: 'MI3' });
    scene.turn.choose({ site: 'L' });
    scene.turn.choose({ draw: 'PA' });
    await scene.endTurn();
    showAll();
    expect(scene).toMatchObject({ stage: 'wrong', reason: 'other-city', wrong: 1 });
    await scene.again();
    expect(asked).toHaveLength(1);
    expect(scene).toMatchObject({ stage: 'asking', reason: 'other-city', wrong: 1 });
    expect(scene.view?.turn).toBe(4);
  });

  it('can be skipped through', async () => {
    const { scene, waits } = setUp(right);
    await scene.open(answer());
    scene.turn.choose({ card: 'PA4' });
    scene.turn.choose({ site: 'L' });
    await scene.endTurn();
    expect(waits).toHaveLength(1);
    scene.skip();
    expect(waits).toHaveLength(0);
    expect(scene.stage).toBe('right');
  });

  it('does not lose its way when the server is silent', async () => {
    const { scene, asked } = setUp(new Error('no'), answer());
    await scene.open();
    expect(scene.stage).toBe('failed');
    await scene.again();
    expect(asked).toHaveLength(2);
    expect(scene.stage).toBe('asking');
  });

  it('keeps its beginning when a turn could not be sent', async () => {
    const { scene } = setUp(new Error('no'));
    await scene.open(answer());
    scene.turn.choose({ card: 'PA4' });
    scene.turn.choose({ site: 'L' });
    await scene.endTurn();
    expect(scene.stage).toBe('failed');
    await scene.again();
    expect(scene.stage).toBe('asking');
    expect(scene.turn.playable).toEqual(['PA4', 'MI3']);
  });

  it('takes no choice while it waits', async () => {
    const { scene } = setUp(right);
    await scene.open(answer());
    scene.turn.choose({ card: 'PA4' });
    scene.turn.choose({ site: 'L' });
    void scene.endTurn();
    expect(scene.stage).toBe('sending');
    expect(scene.turn.choose({ card: 'MI3' })).toBe(false);
    await vi.waitFor(() => expect(scene.stage).toBe('showing'));
  });
});

describe('a scene with a messenger', () => {
  const legal = ['PA4:L', 'PA4:L@LU-MI', 'PA4:L@LU-SI'];
  const begin = answer({ name: 'messenger', view: view({ legal }) });
  const pending = record('PA4:L', { drawn: 'FI3', refill: 'PA1' });
  const half = answer({ name: 'messenger', view: view({ phase: 'messenger', legal, pending }) });
  const whole = answer({
    name: 'messenger',
    done: true,
    reached: true,
    record: { ...pending, move: 'PA4:L@LU-MI' },
    view: view({ turn: 5, legal: [], messengers: ['LU-MI'] }),
  });

  async function untilMessenger(...answers: LessonAnswer[]) {
    const made = setUp(...answers);
    await made.scene.open(begin);
    made.scene.turn.choose({ card: 'PA4' });
    made.scene.turn.choose({ site: 'L' });
    await made.scene.endTurn();
    made.showAll();
    return made;
  }

  it('settles the turn first, then asks for the messenger', async () => {
    const { scene, asked } = await untilMessenger(half);
    expect(asked).toEqual([{ decisions: ['PA4:L'] }]);
    expect(scene.stage).toBe('asking');
    expect(scene.turn).toMatchObject({
      canGoBack: false,
      playable: [],
      step: { kind: 'messenger', pairs: ['LU-MI', 'LU-SI'], mayDecline: true },
    });
  });

  it('sends the messenger as soon as it is chosen', async () => {
    const { scene, asked, showAll } = await untilMessenger(half, whole);
    scene.turn.choose({ messenger: 'LU-MI' });
    await vi.waitFor(() => expect(scene.stage).not.toBe('sending'));
    showAll();
    expect(asked.at(-1)).toEqual({ decisions: ['PA4:L', '@LU-MI'] });
    expect(scene.stage).toBe('right');
  });

  it('can do without', async () => {
    const { scene, asked } = await untilMessenger(half, whole);
    scene.turn.choose({ messenger: 'none' });
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    expect(asked.at(-1)).toEqual({ decisions: ['PA4:L', '@'] });
  });
});
