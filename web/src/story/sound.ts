/** Soft synthesised sounds: a knock of stone, the rustle of a card, a small bell. */

import type { Draft } from '../turn/draft';
import type { Event } from './frames';

/** What sounds: steps of a turn, the final count, its end, and words. */
export type Heard =
  Event['kind'] | 'your-turn' | 'token' | 'sets' | 'chips' | 'minus' | 'end' | 'won' | 'said';

const LATE = 300; // ms: what could not be played by then is not played at all

let audio: AudioContext | null = null;

function tone(
  frequency: number,
  seconds: number,
  volume: number,
  type: OscillatorType = 'sine',
  after = 0, // seconds
): void {
  const context = (audio ??= new AudioContext());
  if (context.state === 'running') return ring(context, frequency, seconds, volume, type, after);
  // Browsers keep silent until the page is touched; what was missed by then is not made up for.
  const asked = performance.now();
  context.resume().then(
    () => {
      if (performance.now() - asked < LATE) ring(context, frequency, seconds, volume, type, after);
    },
    () => {},
  );
}

function ring(
  context: AudioContext,
  frequency: number,
  seconds: number,
  volume: number,
  type: OscillatorType,
  after: number,
): void {
  const start = context.currentTime + after;
  const oscillator = new OscillatorNode(context, { type, frequency });
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(volume, start + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + seconds);
}

export function sound(what: Heard): void {
  switch (what) {
    case 'floor':
    case 'moved':
      return tone(150, 0.14, 0.12, 'triangle');
    case 'scored':
      tone(523, 0.7, 0.05);
      return tone(784, 0.9, 0.04);
    case 'your-turn':
      return tone(659, 0.5, 0.05);
    case 'messenger':
      tone(330, 0.09, 0.04, 'triangle');
      return tone(392, 0.12, 0.04, 'triangle', 0.08);
    case 'token': // many in a row
      return tone(880, 0.12, 0.02);
    case 'sets':
    case 'chips':
      return tone(587, 0.25, 0.03);
    case 'minus':
      return tone(196, 0.4, 0.05);
    case 'end':
      tone(392, 0.6, 0.04);
      return tone(523, 0.9, 0.04, 'sine', 0.18);
    case 'won':
      return [523, 659, 784, 1047].forEach((each, at) => tone(each, 0.9, 0.045, 'sine', at * 0.14));
    case 'said':
      tone(740, 0.12, 0.03);
      return tone(988, 0.18, 0.025, 'sine', 0.09);
    default:
      return tone(420, 0.05, 0.03);
  }
}

/** The sound of the step just added to a draft; null if none was. */
export function soundOfStep(before: Draft, after: Draft): Heard | null {
  const { card, sites, move, draw, messenger } = after;
  if (messenger && messenger !== 'none' && messenger !== before.messenger) return 'messenger';
  if (draw && draw !== before.draw) return 'drawn';
  if (move && move !== 'none' && move !== before.move) return 'moved';
  if (card && card !== before.card) return 'card';
  return sites.length > before.sites.length ? 'floor' : null;
}
