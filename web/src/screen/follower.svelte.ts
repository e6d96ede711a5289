/** On a small screen the page follows the game: what is being played comes into view by itself. */

import { untrack } from 'svelte';
import { reveal } from './reveal';
import type { TurnController } from '../turn/controller.svelte';
import { citiesOfEvent, type Event } from '../story/frames';
import { citiesOf } from '../turn/notation';
import type { ViewCityCode } from '../protocol';

interface Followed {
  readonly event: Event | null; // of what is being played out
  readonly turn: TurnController;
}

/** The cities where something happens, or could be chosen next. */
function citiesInPlay({ event, turn }: Followed): ViewCityCode[] {
  const { step } = turn;
  if (event) return citiesOfEvent(event);
  if (turn.isLooking) return [turn.shown.card?.slice(0, 2) as ViewCityCode];
  switch (step?.kind) {
    case 'site':
      return [step.city];
    case 'move':
      return step.towers.map((tower) => tower.city);
    case 'draw':
      return step.cities;
    case 'messenger':
      return step.pairs.flatMap(citiesOf);
    default:
      return [];
  }
}

/** To be called while a component is set up; `root` is the table, or null where all is in view. */
export function follow(game: Followed, root: () => HTMLElement | null): void {
  $effect(() => {
    const table = root();
    const desk = table?.querySelector('.desk');
    if (!table || !desk) return;
    const cities = citiesInPlay(game);
    const isReady = game.turn.step?.kind === 'ready';
    untrack(() => {
      // On a low screen the desk does not lie on the board but beside or below it.
      const low = matchMedia('(max-height: 600px)').matches;
      const bottom = low ? innerHeight : desk.getBoundingClientRect().top;
      const found = cities.flatMap((code) => [...table.querySelectorAll(`[data-city=${code}]`)]);
      reveal(low && isReady ? [desk] : found, { top: 0, bottom });
    });
  });
}
