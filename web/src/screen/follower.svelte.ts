/** Auto-scroll on small screens: what is being played scrolls into view. */

import { untrack } from 'svelte';
import { reveal } from './reveal';
import type { TurnController } from '../turn/controller.svelte';
import { citiesOfEvent, type Event } from '../story/frames';
import { citiesOf } from '../turn/notation';
import type { ViewCityCode } from '../protocol';

interface Followed {
  readonly event: Event | null; // being animated
  readonly turn: TurnController;
}

/** The cities of the current event, or of possible next choices. */
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

/** Call during component setup; `root` is the table, or null where everything is in view. */
export function follow(game: Followed, root: () => HTMLElement | null): void {
  $effect(() => {
    const table = root();
    const desk = table?.querySelector('.desk');
    if (!table || !desk) return;
    const cities = citiesInPlay(game);
    const isReady = game.turn.step?.kind === 'ready';
    if (!cities.length && !isReady) return; // nothing moves; asking for places is slow
    untrack(() => {
      // On a low screen the desk does not lie on the board but beside or below it.
      const low = matchMedia('(max-height: 600px)').matches;
      const bottom = low ? innerHeight : desk.getBoundingClientRect().top;
      const found = cities.flatMap((code) => [...table.querySelectorAll(`[data-city=${code}]`)]);
      reveal(low && isReady ? [desk] : found, { top: 0, bottom });
    });
  });
}
