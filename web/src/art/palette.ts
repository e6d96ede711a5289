/** The five players' colours outside of the drawings: rings, bars, labels. */

import type { ViewColour } from '../protocol';

export type { ViewColour as Colour } from '../protocol';

interface PlayerLook {
  fill: string; // the wall of a floor
  edge: string; // a darker line around it
  text: string; // labels on the fill
  sign: string; // pattern on the fill
  dash: string; // that pattern along a line: dots, fine line, ticks, stripes, chequers
  cap: 'round' | 'butt';
}

export const COLOURS: readonly ViewColour[] = ['black', 'white', 'red', 'yellow', 'blue'];

export const PLAYERS: Record<ViewColour, PlayerLook> = {
  black: {
    fill: '#3b3633',
    edge: '#14110f',
    text: '#fbf4e6',
    sign: '#d6cbb9',
    dash: '0 5.9',
    cap: 'round',
  },
  white: {
    fill: '#f6f0e3',
    edge: '#6d6150',
    text: '#2a2320',
    sign: '#9c8d74',
    dash: 'none',
    cap: 'butt',
  },
  red: {
    fill: '#b43b2c',
    edge: '#5e140c',
    text: '#fff6ee',
    sign: '#f0b5a4',
    dash: '1.2 4.7',
    cap: 'butt',
  },
  yellow: {
    fill: '#dda730',
    edge: '#6f4a05',
    text: '#2d2003',
    sign: '#8a5c06',
    dash: '5.9 5.9',
    cap: 'butt',
  },
  blue: {
    fill: '#2f5fa3',
    edge: '#122b54',
    text: '#f3f7ff',
    sign: '#b5cff0',
    dash: '2.95 2.95',
    cap: 'butt',
  },
};
