import { describe, expect, it } from 'vitest';
import { packed, unpacked } from '../../src/lines/link';
import type { Place } from '../../src/lines/source';
import {
  back,
  branchesAt,
  branchOf,
  countBranches,
  named,
  NO_LINES,
  onward,
  played,
  without,
  type Tree,
} from '../../src/lines/tree';

const record = ['BO4:L', 'FI5:R', 'RO4:L'];
const start: Place = { at: 1, moves: [] };

function grown(...lines: string[][]): Tree {
  let tree = NO_LINES;
  for (const line of lines) {
    let place = start;
    for (const move of line) ({ tree, place } = played(tree, place, move, record));
  }
  return tree;
}

describe('a tree of lines', () => {
  it('stays on the record as long as the record is played', () => {
    const { tree, place } = played(NO_LINES, start, 'FI5:R', record);
    expect(place).toEqual({ at: 2, moves: [] });
    expect(tree).toBe(NO_LINES);
  });

  it('branches where something else is played, once', () => {
    const tree = grown(['FI4:L', 'RO4:L'], ['FI4:L', 'RO5:R'], ['FI4:L', 'RO4:L']);
    expect(branchesAt(tree, start).map((each) => each.move)).toEqual(['FI4:L']);
    const next = branchesAt(tree, { at: 1, moves: ['FI4:L'] });
    expect(next.map((each) => each.move)).toEqual(['RO4:L', 'RO5:R']);
    expect(countBranches(tree[0]?.first ?? [])).toBe(3);
  });

  it('keeps names, and loses a branch with all that follows it', () => {
    const place = { at: 1, moves: ['FI4:L', 'RO5:R'] };
    const tree = named(grown(['FI4:L', 'RO4:L'], ['FI4:L', 'RO5:R']), place, '  with Roma ');
    expect(branchOf(tree, place)?.name).toBe('with Roma');
    expect(branchOf(without(tree, place), place)).toBeNull();
    expect(branchOf(without(tree, place), { at: 1, moves: ['FI4:L', 'RO4:L'] })).not.toBeNull();
    expect(without(tree, { at: 1, moves: ['FI4:L'] })).toEqual([]);
  });

  it('is walked back and on', () => {
    const tree = grown(['FI4:L', 'RO4:L']);
    expect(back({ at: 1, moves: ['FI4:L'] })).toEqual(start);
    expect(back(start)).toEqual({ at: 0, moves: [] });
    expect(back({ at: 0, moves: [] })).toEqual({ at: 0, moves: [] });
    expect(onward(tree, { at: 1, moves: ['FI4:L'] }, record)?.moves).toEqual(['FI4:L', 'RO4:L']);
    expect(onward(tree, start, record)).toEqual({ at: 2, moves: [] });
    expect(onward(tree, { at: 3, moves: [] }, record)).toBeNull();
  });
});

describe('a link', () => {
  const study = {
    record: '[Game "Patrizier"]\n[Names "Änne/Bo"]\n',
    tree: named(grown(['FI4:L', 'RO4:L'], ['FI4:R@LU-MI']), { at: 1, moves: ['FI4:L'] }, 'schön'),
    place: { at: 1, moves: ['FI4:L'] },
  };

  it('carries everything', async () => {
    const text = await packed(study);
    expect(text).toMatch(/^1\.[\w-]+$/);
    expect(await unpacked(text)).toEqual(study);
  });

  it('that is broken opens nothing', async () => {
    const text = await packed(study);
    expect(await unpacked(text.slice(0, -9))).toBeNull();
    expect(await unpacked('')).toBeNull();
    expect(await unpacked(`2.${text.slice(2)}`)).toBeNull();
    const odd = await packed({ ...study, place: { at: 1, moves: ['<script>'] } });
    expect(await unpacked(odd)).toBeNull();
  });
});
