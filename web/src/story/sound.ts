/** Soft synthesised sounds: a knock of stone, the rustle of a card, a small bell. */

import type { Event } from './frames';

let audio: AudioContext | null = null;

function tone(frequency: number, seconds: number, volume: number, type: OscillatorType): void {
  audio ??= new AudioContext();
  const start = audio.currentTime;
  const oscillator = new OscillatorNode(audio, { type, frequency });
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(volume, start + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(start);
  oscillator.stop(start + seconds);
}

export function sound(kind: Event['kind'] | 'your-turn'): void {
  switch (kind) {
    case 'floor':
    case 'moved':
      return tone(150, 0.14, 0.12, 'triangle');
    case 'scored':
      tone(523, 0.7, 0.05, 'sine');
      return tone(784, 0.9, 0.04, 'sine');
    case 'your-turn':
      return tone(659, 0.5, 0.05, 'sine');
    default:
      return tone(420, 0.05, 0.03, 'sine');
  }
}
