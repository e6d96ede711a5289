/** Keyboard control: arrows move between choices, and the focus follows every step. */

import { tick } from 'svelte';
import { on } from 'svelte/events';
import type { TurnController } from '../turn/controller.svelte';
import { choicesOnScreen, isArrow, moveFocus, nextTower } from './keys';

interface Keyboard {
  root: () => HTMLElement | undefined;
  turn: TurnController;
  skip?: (() => void) | null; // skips the animation; null: there is none
  proceed?: (() => void) | null; // Enter, where nothing has the focus; null: it does nothing
  pressed?: (key: string) => boolean; // any other key, and Escape; whether it was handled
  changed?: () => unknown; // reads everything that may change the choices
}

const TYPED_INTO = 'input, textarea, select, dialog';

/** Call during component setup. */
export function playByKeyboard(keyboard: Keyboard): void {
  const { turn } = keyboard;
  let used = false; // the keyboard was used last, not the pointer

  function press(event: KeyboardEvent): void {
    const root = keyboard.root();
    const { target, key } = event;
    if (target instanceof Element && target.closest(TYPED_INTO)) return;
    if (event.metaKey || event.ctrlKey || event.altKey || !root) return;
    used = true;
    if (isArrow(key)) moveFocus(root, key);
    else if (key === ' ' && keyboard.skip) keyboard.skip();
    else if (key === 't' || key === 'T') nextTower(root, key === 't' ? 1 : -1);
    else {
      if (keyboard.pressed?.(key)) return;
      const free = document.activeElement === document.body;
      if (key === 'Enter' && free && keyboard.proceed) keyboard.proceed();
      if (key === 'Escape') turn.back();
      const card = turn.held[Number(key) - 1];
      if (card && turn.playable.includes(card)) turn.choose({ card });
      return;
    }
    event.preventDefault();
  }

  $effect(() => {
    const release = [on(window, 'keydown', press), on(window, 'pointerdown', () => (used = false))];
    return () => release.forEach((each) => each());
  });

  // After each step the focus moves to the next choice.
  $effect(() => {
    void turn.draft;
    void turn.step;
    keyboard.changed?.();
    if (used) void tick().then(() => nextChoice(keyboard.root())?.focus());
  });
}

function nextChoice(root: HTMLElement | undefined): HTMLElement | SVGElement | undefined {
  if (!root) return undefined;
  const found = choicesOnScreen(root).filter((each) => !each.matches(':disabled'));
  const kind = (each: HTMLElement | SVGElement) => each.dataset.choice;
  return (
    found.find((each) => kind(each) === 'end') ??
    found.find((each) => kind(each) !== 'skip' && kind(each) !== 'next') ??
    found.find((each) => kind(each) === 'next')
  );
}
