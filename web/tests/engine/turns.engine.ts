/** Everything that a board shows in the middle of a turn, against the engine: see tests/page. */

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { speak } from '../../src/lib/i18n.svelte';
import { Chronicle } from '../../src/story/chronicle';
import { TurnController } from '../../src/turn/controller.svelte';
import type { Choice } from '../../src/turn/draft';
import type { Board } from '../../src/turn/position';
import { framesOf } from '../../src/story/frames';
import { Presenter } from '../../src/story/presenter';
import { Round } from '../../src/story/round';
import { Story } from '../../src/story/story';
import { outlookWords } from '../../src/words/outlook';
import type { People } from '../../src/words/sentences';
import { towerName } from '../../src/turn/notation';
import type { SeatView, TableMessage, ViewCity, ViewPair } from '../../src/protocol';

type Shown = Omit<ViewCity, 'card' | 'capacity' | 'tokens'>;

interface Step {
  choice: Choice;
  cities: Shown[];
  taken?: Record<string, number>; // points, by seat
}

interface Try {
  turn: string;
  steps: Step[];
  truths: Record<string, string[]>; // what the rulebook has against each step with that card
}

interface Game {
  positions: { told: SeatView; tries: Try[] }[];
  messages: TableMessage[];
  towers: Record<string, Pick<ViewCity, 'taller' | 'leaders' | 'tallies'>>;
}

const SITES = ['L', 'R'] as const;
const PEOPLE: People = {
  seats: [0, 1, 2, 3, 4].map((seat) => ({ seat: seat as 0, name: `P${seat}`, you: false })),
  alone: false,
};

beforeAll(() => speak('en'));

const games = JSON.parse(readFileSync(process.env.PATRIZIER_GAMES!, 'utf8')) as Game[];

function choosing(told: SeatView): TurnController {
  return new TurnController({
    position: () => told,
    toDecide: () => true,
    busy: () => false,
    atOnce: () => false,
    send: () => {},
  });
}

function shown({ cities }: Board): Shown[] {
  return cities.map(({ card: _card, capacity: _capacity, tokens: _tokens, ...rest }) => rest);
}

function titleOf({ positions }: Game): string {
  const { players, rules } = positions[0]!.told.view;
  return [`${players} players`, ...rules].join(', ');
}

/** What cannot be chosen now although its time has come: which step it is, and how to touch it. */
function barredNow(controller: TurnController, { truths }: Try): [string, () => void][] {
  const { step, draft, board } = controller;
  const codes = board!.cities.map(({ code }) => code);
  const cards = codes.map((code): [string, () => void] => [
    `+${code}`,
    () => controller.card(code),
  ]);
  switch (step?.kind) {
    case 'site':
      return SITES.filter((site) => !step.sites.includes(site)).map((site) => [
        `${draft.card}:${[...draft.sites, site].sort().join('')}`,
        () => controller.site(step.city, site),
      ]);
    case 'move':
      return codes
        .flatMap((city) => SITES.map((site) => ({ city, site })))
        .filter((tower) => !step.towers.some((each) => towerName(each) === towerName(tower)))
        .map((tower) => [`>${towerName(tower)}`, () => controller.site(tower.city, tower.site)]);
    case 'draw':
      return cards.filter((_, at) => !step.cities.includes(codes[at]!));
    case 'ready':
      return controller.choices.late ? [] : cards;
    case 'messenger':
      return Object.keys(truths)
        .filter((name) => name.startsWith('@') && !step.pairs.some((pair) => name === `@${pair}`))
        .map((name) => [name, () => controller.pair(name.slice(1) as ViewPair)]);
    default:
      return [];
  }
}

describe.each(games.map((game) => [titleOf(game), game] as const))('%s', (_, game) => {
  it('shows every choice of a turn in the making as the engine would carry it out', () => {
    for (const { told, tries } of game.positions)
      for (const { turn, steps } of tries) {
        const controller = choosing(told);
        controller.begin();
        for (const { choice, cities, taken } of steps) {
          const late = 'messenger' in choice && told.view.phase !== 'messenger';
          if (late) break; // it follows the refill, which nobody sees before
          expect(controller.choose(choice), `${turn}: ${JSON.stringify(choice)}`).toBe(true);
          const title = `${turn} up to ${JSON.stringify(choice)}`;
          expect(shown(controller.board!), title).toEqual(cities);
          if (taken) {
            const shares = controller.outlook?.takes?.shares ?? [];
            expect(Object.fromEntries(shares), title).toEqual(taken);
          }
        }
      }
  });

  it('says of every step that is barred why it is, as the rulebook has it', () => {
    const said = new Set<string>();
    const wrong: string[] = [];
    for (const { told, tries } of game.positions)
      for (const one of tries) {
        const { turn, steps, truths } = one;
        const controller = choosing(told);
        controller.begin();
        for (const next of [...steps, null]) {
          for (const [step, touch] of barredNow(controller, one)) {
            touch();
            const { reason } = controller.denial!;
            const against = truths[step]!;
            const freely = step.startsWith('+') && against.length === 0; // another one was taken
            if (!(freely ? ['not-now'] : against).includes(reason))
              wrong.push(`${step} in ${turn}: ${reason}`);
            said.add(reason);
          }
          if (next) controller.choose(next.choice);
        }
      }
    expect(wrong).toEqual([]);
    expect([...said]).toEqual(expect.arrayContaining(['empty-site', 'forced-draw', 'no-floor']));
  });

  it('says what every turn would bring, in words that name the players', () => {
    let pieces = 0;
    for (const { told, tries } of game.positions)
      for (const { turn, steps } of tries) {
        const controller = choosing(told);
        controller.begin();
        for (const { choice } of steps) {
          if ('messenger' in choice && told.view.phase !== 'messenger') break;
          controller.point(choice);
          const pointed = controller.outlook;
          controller.choose(choice);
          expect(pointed, turn).toEqual(controller.outlook);
          if (!pointed) continue;
          const words = outlookWords(pointed, PEOPLE, told.view.deck);
          for (const [seat] of pointed.takes?.shares ?? [])
            expect(words.join(), turn).toMatch(new RegExp(`P${seat}\\s`));
          for (const { seat } of pointed.answers) expect(words.join(), turn).toContain(`P${seat}`);
          pieces += words.length;
        }
      }
    expect(pieces).toBeGreaterThan(game.positions.length);
  });

  it('shows a whole turn that is looked at, a hint, as the engine would leave the board', () => {
    for (const { told, tries } of game.positions)
      for (const { turn, steps } of tries) {
        const controller = choosing(told);
        controller.look(turn);
        expect(shown(controller.board!), turn).toEqual(steps.at(-1)!.cities);
      }
  });

  it('plays turns out with the right leaders in every picture, up to the board they lead to', () => {
    const chronicle = new Chronicle();
    const story = new Story();
    let before: TableMessage | null = null;
    let pictures = 0;
    for (const message of game.messages) {
      const turns = chronicle.take(message);
      const frames = story.tell(before, message, turns);
      for (const { board, event } of frames) {
        for (const { code, left, right, taller, leaders, tallies } of board.cities) {
          const key = JSON.stringify(left) + JSON.stringify(right);
          const title = `${code} ${key} when ${event.kind}, turn ${message.turn}`;
          expect({ taller, leaders, tallies }, title).toEqual(game.towers[key]);
        }
      }
      const last = frames.at(-1);
      const view = message.views[0]!.view;
      const record = view.pending ?? turns.at(-1)?.record;
      if (last && !message.you.seats.includes(record!.seat)) {
        expect(last.board.cities).toEqual(view.cities);
        expect([...last.board.messengers].sort()).toEqual([...view.messengers].sort());
        expect(last.board.pile_left).toBe(view.pile_left);
      }
      pictures += frames.length;
      before = message;
    }
    expect(pictures).toBeGreaterThan(game.positions.length);
  });

  // The page of the rules says: one to two minutes. Bots that think add up to one.
  it('tells the turns of a whole game in about one minute', () => {
    let minutes = 0;
    const timers: (() => void)[] = [];
    const presenter = new Presenter<null>({
      onFrame: () => {},
      onSettle: () => {},
      pace: () => 'calm',
      wait: (then, ms) => {
        minutes += ms / 60_000;
        timers.push(then);
        return () => {};
      },
    });
    const chronicle = new Chronicle();
    const story = new Story();
    let before: TableMessage | null = null;
    for (const message of game.messages) {
      presenter.push(story.tell(before, message, chronicle.take(message)), null);
      while (timers.length) timers.shift()!();
      before = message;
    }
    expect(minutes).toBeGreaterThan(0.9);
    expect(minutes).toBeLessThan(1.5);
  });

  it('shows the last round again from the board as it was to the board as it is', () => {
    const chronicle = new Chronicle();
    const boards = new Map<number, Board>(); // by turns completed
    let round = Round.NONE;
    let shown = 0;
    for (const message of game.messages) {
      round = round.after(message, chronicle.take(message));
      const { view } = message.views[0]!;
      if (view.pending) continue;
      boards.set(message.turn, view);
      for (const seat of [null, ...message.seats.map((each) => each.seat)]) {
        const since = round.since(seat);
        expect(since, `turn ${message.turn}`).not.toBeNull();
        const { board, turns } = since!;
        const before = boards.get(message.turn - turns.length);
        if (before) expect(shownFully(board)).toEqual(shownFully(before));
        const last = turns.reduce(
          (next, { record, standings }) => framesOf(next, record, standings).at(-1)!.board,
          board,
        );
        expect(shownFully(last)).toEqual(shownFully(view));
        shown += turns.length;
      }
    }
    expect(shown).toBeGreaterThan(game.messages.length);
  });
});

function shownFully({ cities, messengers, pile_left }: Board) {
  return { cities, messengers: [...messengers].sort(), pile_left };
}
