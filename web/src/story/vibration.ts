/** A short vibration, where the device can and its owner likes it. */

const PATTERNS = { 'your-turn': [60, 60, 60], scored: [30] };

const canVibrate = typeof navigator !== 'undefined' && 'vibrate' in navigator;

export function vibrate(kind: keyof typeof PATTERNS): void {
  if (canVibrate) navigator.vibrate(PATTERNS[kind]);
}
