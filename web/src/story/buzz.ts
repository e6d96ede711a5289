/** A short vibration, where the device can and its owner likes it. */

const PATTERNS = { 'your-turn': [60, 60, 60], scored: [30] };

const canBuzz = typeof navigator !== 'undefined' && 'vibrate' in navigator;

export function buzz(kind: keyof typeof PATTERNS): void {
  if (canBuzz) navigator.vibrate(PATTERNS[kind]);
}
