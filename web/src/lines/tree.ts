/** Lines as a tree: continuations of positions of a record. Immutable values. */

import type { Place } from './source';

export interface Branch {
  move: string;
  name: string; // given by the reader; '' without one
  then: readonly Branch[];
}

/** The branches that leave the record, by the turns of the record before them. */
export type Tree = readonly { at: number; first: readonly Branch[] }[];

export const NO_LINES: Tree = [];
export const MOST_BRANCHES = 400;
const LONGEST_NAME = 60;

/** The branches that continue from a place, beside the record itself. */
export function branchesAt(tree: Tree, { at, moves }: Place): readonly Branch[] {
  let found = tree.find((each) => each.at === at)?.first ?? [];
  for (const move of moves) found = found.find((each) => each.move === move)?.then ?? [];
  return found;
}

/** The branch that a place ends with; null on the record. */
export function branchOf(tree: Tree, { at, moves }: Place): Branch | null {
  const before = { at, moves: moves.slice(0, -1) };
  return branchesAt(tree, before).find((each) => each.move === moves.at(-1)) ?? null;
}

/** Play a turn at a place; the record's own turn stays on the record. */
export function played(
  tree: Tree,
  place: Place,
  move: string,
  record: readonly string[],
): { tree: Tree; place: Place } {
  const { at, moves } = place;
  if (!moves.length && record[at] === move) return { tree, place: { at: at + 1, moves } };
  const next = { at, moves: [...moves, move] };
  if (branchOf(tree, next)) return { tree, place: next };
  const grown = edited(tree, place, (branches) => [...branches, { move, name: '', then: [] }]);
  return { tree: grown, place: next };
}

/** A tree with one line, and its end. */
export function lineAt(place: Place): { tree: Tree; place: Place } {
  const then = place.moves.reduceRight<readonly Branch[]>(
    (after, move) => [{ move, name: '', then: after }],
    [],
  );
  return { tree: then.length ? [{ at: place.at, first: then }] : NO_LINES, place };
}

/** The tree without the branch that a place ends with, and all that follows it. */
export function without(tree: Tree, { at, moves }: Place): Tree {
  const before = { at, moves: moves.slice(0, -1) };
  const last = moves.at(-1);
  const cut = edited(tree, before, (all) => all.filter((each) => each.move !== last));
  return cut.filter((each) => each.first.length > 0);
}

/** The tree with a name for the branch that a place ends with. */
export function named(tree: Tree, { at, moves }: Place, name: string): Tree {
  const before = { at, moves: moves.slice(0, -1) };
  const last = moves.at(-1);
  const short = name.trim().slice(0, LONGEST_NAME);
  return edited(tree, before, (all) =>
    all.map((each) => (each.move === last ? { ...each, name: short } : each)),
  );
}

/** One turn back: along the line, then along the record. */
export function back({ at, moves }: Place): Place {
  return moves.length ? { at, moves: moves.slice(0, -1) } : { at: Math.max(0, at - 1), moves };
}

/** One turn on: the first branch, or the record; null at the end. */
export function onward(tree: Tree, place: Place, record: readonly string[]): Place | null {
  if (!place.moves.length && place.at < record.length) return { at: place.at + 1, moves: [] };
  const [first] = branchesAt(tree, place);
  return first ? { at: place.at, moves: [...place.moves, first.move] } : null;
}

export function countBranches(branches: readonly Branch[]): number {
  return branches.reduce((sum, each) => sum + 1 + countBranches(each.then), 0);
}

export function samePlace(one: Place, two: Place): boolean {
  return one.at === two.at && one.moves.join(' ') === two.moves.join(' ');
}

function edited(
  tree: Tree,
  { at, moves }: Place,
  change: (branches: readonly Branch[]) => readonly Branch[],
): Tree {
  const walk = (branches: readonly Branch[], left: readonly string[]): readonly Branch[] => {
    const [next, ...rest] = left;
    if (next === undefined) return change(branches);
    return branches.map((each) =>
      each.move === next ? { ...each, then: walk(each.then, rest) } : each,
    );
  };
  const known = tree.some((each) => each.at === at) ? tree : [...tree, { at, first: [] }];
  return known
    .map((each) => (each.at === at ? { at, first: walk(each.first, moves) } : each))
    .sort((one, two) => one.at - two.at);
}
