"""Warm-up: compiles batches on the processor, to be shipped; `kernels.preparation` finds it."""

from patrizier.batch.batch import Batch
from patrizier.kernels.preparation import Step


def _compile_batches() -> None:
    batch = Batch(games=1, seed=1, observation="floats")
    batch.step(batch.random_codes())


STEPS = (Step("batches", 4.5, _compile_batches, for_servers=False),)
