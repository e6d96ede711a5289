import { expect, it } from 'vitest';
import { faceOf } from '../../src/art/cards';

const deck = {
  name: 'test',
  cards: { BO1: '2', BO3: '?', FI3: '>', BO4: 'L*', BO7: 'LL', RO5: '2*' },
};

it.each([
  ['BO1', { city: 'BO', kind: 'crests', crests: 2, heads: 0, noble: null, star: false }],
  ['BO3', { kind: 'draw', crests: 1, star: false }],
  ['FI3', { city: 'FI', kind: 'move', crests: 1 }],
  ['BO4', { kind: 'heads', noble: 'L', heads: 1, star: true }],
  ['BO7', { kind: 'heads', noble: 'L', heads: 2, star: false }],
  ['RO5', { kind: 'crests', star: true }],
])('reads %s', (id, face) => expect(faceOf(deck, id)).toMatchObject(face));
