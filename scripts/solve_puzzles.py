"""Solve all shipped puzzles again, and count those with the same solution.

python scripts/solve_puzzles.py [--every 10] [--seed 1] [--jobs 2] [--keep FILE]
python scripts/solve_puzzles.py --explain FILE

Endings are solved; the others have to be proven again with other samples of hidden cards than when
they were made. Fails unless every solution is the same. ``--keep`` writes a file of those that were
proven again, with reasons and themes as they are found now. ``--explain`` proves nothing: it writes
a file of all puzzles with reasons and themes as they are found now.
"""

import argparse
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path

from patrizier.options import Options
from patrizier.puzzles.answers import answers_of
from patrizier.puzzles.collection import shipped, write
from patrizier.puzzles.maker import OUTCOMES, reasons_of, why_of
from patrizier.puzzles.proof import Prover
from patrizier.puzzles.puzzle import Puzzle
from patrizier.puzzles.themes import themes_of


@cache
def prover_for(options: Options) -> Prover:
    """Return the prover of this process."""
    return Prover(options)


def solve(number: int, seed: int) -> tuple[str, Puzzle | None]:
    """Return the best turn of a puzzle, and the puzzle explained anew if it was proven again."""
    puzzle = list(shipped().values())[number]
    view, prover = puzzle.view, prover_for(puzzle.source.options)
    proof = prover.prove(view, seed)
    if proof is None:
        return prover.best(view, seed).text, None
    why = tuple(reason.to_json() for reason in why_of(view, proof))
    themes = themes_of(view, proof.answer.move, proof.answer.after)
    return proof.answer.move.text, replace(puzzle, exact=proof.exact, why=why, themes=themes)


def explained(puzzle: Puzzle) -> Puzzle:
    """Return a puzzle with its reasons and themes as they are found now."""
    view = puzzle.view
    answer = next(each for each in answers_of(view) if each.move.text in puzzle.accepted)
    outcome = tuple(reason for reason in puzzle.why if reason["kind"] in OUTCOMES)
    why = tuple(reason.to_json() for reason in reasons_of(view, answer.after))
    return replace(puzzle, why=outcome + why, themes=themes_of(view, answer.move, answer.after))


def main() -> int:
    """Solve, and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="only every Nth puzzle")
    parser.add_argument("--seed", type=int, default=1_000_003, help="of the searches")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--keep", type=Path, help="write those proven again to this file")
    parser.add_argument("--explain", type=Path, help="only explain all anew, into this file")
    arguments = parser.parse_args()
    if arguments.explain:
        anew = [explained(puzzle) for puzzle in shipped().values()]
        arguments.explain.write_bytes(write(anew))
        return 0
    same, proven, all_of = Counter[bool](), Counter[bool](), Counter[bool]()
    kept = list[Puzzle]()
    puzzles = list(shipped().values())
    numbers = range(0, len(puzzles), arguments.every)
    with ProcessPoolExecutor(arguments.jobs, get_context("spawn")) as pool:
        for number, (found, again) in zip(
            numbers, pool.map(partial(solve, seed=arguments.seed), numbers), strict=True
        ):
            puzzle = puzzles[number]
            agrees = found in puzzle.accepted
            all_of[puzzle.exact] += 1
            same[puzzle.exact] += agrees
            if not agrees:
                print(f"{puzzle.id}: {puzzle.solution} was the solution, now it is {found}")
            elif again and again.exact == puzzle.exact:
                proven[puzzle.exact] += 1
                kept.append(again)
            else:
                print(f"{puzzle.id}: {puzzle.solution} is the best again, but not clearly")
    for exact, kind in ((True, "solved"), (False, "searched")):
        print(f"{kind}: {same[exact]} of {all_of[exact]} agree, {proven[exact]} are proven again")
    if arguments.keep:
        arguments.keep.write_bytes(write(kept))
    return int(same != all_of)


if __name__ == "__main__":
    sys.exit(main())
