/** Going through a game by keyboard: arrows, Home, End, and what else a screen knows. */

import { on } from 'svelte/events';

interface Steps {
  typing: string; // elements, as a selector, that need the arrows themselves
  slider: string; // the one that goes through the game, where up and down do so as well
  step: (way: 1 | -1, event: KeyboardEvent, onSlider: boolean) => void;
  jump: (to: 'first' | 'last', onSlider: boolean) => void;
  pressed?: (key: string, target: Element | null) => boolean; // any other; whether it was handled
}

/** Call during component setup. */
export function stepByKeyboard({ typing, slider, step, jump, pressed }: Steps): void {
  function press(event: KeyboardEvent): void {
    const { key } = event;
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest(typing)) return;
    const onSlider = Boolean(target?.closest(slider));
    if (key === 'ArrowRight' || (key === 'ArrowUp' && onSlider)) step(1, event, onSlider);
    else if (key === 'ArrowLeft' || (key === 'ArrowDown' && onSlider)) step(-1, event, onSlider);
    else if (key === 'Home' || key === 'End') jump(key === 'Home' ? 'first' : 'last', onSlider);
    else if (!pressed?.(key, target)) return;
    event.preventDefault();
  }

  $effect(() => on(window, 'keydown', press));
}
