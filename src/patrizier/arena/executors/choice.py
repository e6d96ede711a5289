"""Which executor a command uses: ``--on`` and ``--jobs``."""

from patrizier.arena.executors.base import Executor
from patrizier.arena.executors.local import on_this_machine

HERE, RAY = "here", "ray"
PLACES = (HERE, RAY)


def choose_executor(on: str = HERE, jobs: int | None = None) -> Executor:
    """Return the executor for a place; ``jobs`` are processes, or workers of a cluster at most.

    Raises ValueError for an unknown place and `patrizier.arena.extras.MissingExtra` if Ray is not
    installed.
    """
    if on == HERE:
        return on_this_machine(jobs or 1)
    if on == RAY:
        from patrizier.arena.executors.ray_cluster import RayCluster

        return RayCluster(jobs)
    raise ValueError(f"unknown executor {on!r}: {' or '.join(PLACES)}")
