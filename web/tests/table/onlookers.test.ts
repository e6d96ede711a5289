import { expect, it } from 'vitest';
import { publicView } from '../../src/table/onlookers';
import type { View } from '../../src/protocol';
import { view } from '../learn/positions';

/** The position as a seat sees it: the own hand and the own tokens only. */
function seenBy(viewer: 0 | 1): View {
  const all = view({ viewer, legal: viewer ? [] : ['PA4:L'], unseen: ['BO5'] });
  return {
    ...all,
    seats: all.seats.map((each) =>
      each.seat === viewer
        ? { ...each, hand: viewer ? ['RO4'] : ['PA4'], secret: viewer ? ['RO4'] : ['PA4'] }
        : { ...each, hand: [], secret: [], unknown: 1 },
    ),
    table: all.table.map((each) => ({
      ...each,
      tokens_won: 1,
      tokens: each.seat === viewer ? [5] : null,
      chips: each.seat === viewer ? 2 : null,
      pile: each.seat === viewer ? ['MI3'] : null,
    })),
  };
}

it('shows what lies on the table, and nothing of anybody', () => {
  const shown = publicView([
    { seat: 0, view: seenBy(0) },
    { seat: 1, view: seenBy(1) },
  ]);
  expect(shown).toMatchObject({ viewer: null, legal: [], unseen: [], sums: null });
  expect(shown?.cities).toEqual(seenBy(0).cities);
  expect(shown?.table.map((each) => each.tokens_won)).toEqual([1, 1]);
  const text = JSON.stringify({ seats: shown?.seats, table: shown?.table });
  for (const secret of ['PA4', 'RO4', 'MI3', '[5]', '"chips":2'])
    expect(text).not.toContain(secret);
});

it('needs two who look', () => {
  expect(publicView([{ seat: 0, view: seenBy(0) }])).toBeNull();
});
