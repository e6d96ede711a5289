import { describe, expect, it, vi } from 'vitest';
import { Scene, type SceneState } from '../../src/learn/scene';
import type { LessonAnswer, LessonBody } from '../../src/protocol';
import { answer, city, record, view } from './positions';

function setUp(...answers: (LessonAnswer | Error)[]) {
  const asked: LessonBody[] = [];
  const waits: (() => void)[] = [];
  const states: SceneState[] = [];
  const scene = new Scene({
    play: async (body) => {
      asked.push(body);
      const next = answers.shift();
      if (!next || next instanceof Error) throw next ?? new Error('nothing more');
      return next;
    },
    onChange: (state) => states.push(state),
    pace: () => 'calm',
    wait: (then) => {
      waits.push(then);
      return () => waits.splice(waits.indexOf(then), 1);
    },
  });
  const showAll = () => {
    while (waits.length) waits.shift()?.();
  };
  return { scene, asked, states, waits, showAll };
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
    expect(scene.state.stage).toBe('loading');
    await scene.open();
    expect(asked).toEqual([{}]);
    expect(scene.state).toMatchObject({ stage: 'asking', playable: ['PA4', 'MI3'] });
    expect(scene.state.step).toEqual({ kind: 'card', cards: ['PA4', 'MI3'] });
  });

  it('begins at once where its beginning is known', async () => {
    const { scene, asked } = setUp();
    await scene.open(answer());
    expect(asked).toEqual([]);
    expect(scene.state.stage).toBe('asking');
  });

  it('lays the turn out step by step, and takes it back', async () => {
    const { scene } = setUp();
    await scene.open(answer());
    expect(scene.choose({ site: 'L' })).toBe(false);
    expect(scene.state.canGoBack).toBe(false);
    expect(scene.choose({ card: 'PA4' })).toBe(true);
    expect(scene.choose({ site: 'L' })).toBe(true);
    expect(scene.state.step?.kind).toBe('ready');
    const built = scene.state.board?.cities.find((each) => each.code === 'PA');
    expect(built?.left).toEqual([0]);
    scene.back();
    scene.back();
    expect(scene.state).toMatchObject({ canGoBack: false, step: { kind: 'card' } });
  });

  it('lets another card be chosen instead', async () => {
    const { scene } = setUp();
    await scene.open(answer());
    scene.choose({ card: 'PA4' });
    scene.choose({ site: 'L' });
    scene.choose({ card: 'MI3' });
    expect(scene.state.draft).toMatchObject({ card: 'MI3', sites: [] });
  });

  it('shows what a turn brings, then says that it was right', async () => {
    const { scene, asked, states, showAll } = setUp(right);
    await scene.open(answer());
    scene.choose({ card: 'PA4' });
    scene.choose({ site: 'L' });
    await scene.endTurn();
    expect(asked).toEqual([{ moves: ['PA4:L'] }]);
    expect(scene.state.stage).toBe('showing');
    showAll();
    expect(scene.state).toMatchObject({ stage: 'right', frame: null, wrong: 0, step: null });
    const events = states.flatMap((state) => state.frame?.event.kind ?? []);
    expect([...new Set(events)]).toEqual(['drawn', 'refill']); // what was laid is no news
  });

  it('says why it was not, and begins anew without asking', async () => {
    const { scene, asked, showAll } = setUp(wrong);
    await scene.open(answer());
    scene.choose({ card: 'MI3' });
    scene.choose({ site: 'L' });
    scene.choose({ draw: 'PA' });
    await scene.endTurn();
    showAll();
    expect(scene.state).toMatchObject({ stage: 'wrong', reason: 'other-city', wrong: 1 });
    await scene.again();
    expect(asked).toHaveLength(1);
    expect(scene.state).toMatchObject({ stage: 'asking', reason: 'other-city', wrong: 1 });
    expect(scene.state.view?.turn).toBe(4);
  });

  it('can be skipped through', async () => {
    const { scene, waits } = setUp(right);
    await scene.open(answer());
    scene.choose({ card: 'PA4' });
    scene.choose({ site: 'L' });
    await scene.endTurn();
    expect(waits).toHaveLength(1);
    scene.skip();
    expect(waits).toHaveLength(0);
    expect(scene.state.stage).toBe('right');
  });

  it('does not lose its way when the server is silent', async () => {
    const { scene, asked } = setUp(new Error('no'), answer());
    await scene.open();
    expect(scene.state.stage).toBe('failed');
    await scene.again();
    expect(asked).toHaveLength(2);
    expect(scene.state.stage).toBe('asking');
  });

  it('keeps its beginning when a turn could not be sent', async () => {
    const { scene } = setUp(new Error('no'));
    await scene.open(answer());
    scene.choose({ card: 'PA4' });
    scene.choose({ site: 'L' });
    await scene.endTurn();
    expect(scene.state.stage).toBe('failed');
    await scene.again();
    expect(scene.state).toMatchObject({ stage: 'asking', playable: ['PA4', 'MI3'] });
  });

  it('takes no choice while it waits', async () => {
    const { scene } = setUp(right);
    await scene.open(answer());
    scene.choose({ card: 'PA4' });
    scene.choose({ site: 'L' });
    void scene.endTurn();
    expect(scene.state.stage).toBe('sending');
    expect(scene.choose({ card: 'MI3' })).toBe(false);
    await vi.waitFor(() => expect(scene.state.stage).toBe('showing'));
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
    made.scene.choose({ card: 'PA4' });
    made.scene.choose({ site: 'L' });
    await made.scene.endTurn();
    made.showAll();
    return made;
  }

  it('settles the turn first, then asks for the messenger', async () => {
    const { scene, asked } = await untilMessenger(half);
    expect(asked).toEqual([{ decisions: ['PA4:L'] }]);
    expect(scene.state).toMatchObject({
      stage: 'asking',
      canGoBack: false,
      playable: [],
      step: { kind: 'messenger', pairs: ['LU-MI', 'LU-SI'], mayDecline: true },
    });
  });

  it('sends the messenger as soon as it is chosen', async () => {
    const { scene, asked, showAll } = await untilMessenger(half, whole);
    scene.choose({ messenger: 'LU-MI' });
    await vi.waitFor(() => expect(scene.state.stage).not.toBe('sending'));
    showAll();
    expect(asked.at(-1)).toEqual({ decisions: ['PA4:L', '@LU-MI'] });
    expect(scene.state.stage).toBe('right');
  });

  it('can do without', async () => {
    const { scene, asked } = await untilMessenger(half, whole);
    scene.choose({ messenger: 'none' });
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    expect(asked.at(-1)).toEqual({ decisions: ['PA4:L', '@'] });
  });
});
