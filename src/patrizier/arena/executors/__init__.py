"""Executors: where the units of a long run are computed, on this machine or on a Ray cluster.

A job says how to compute one unit; an executor yields the results of all units in order. What
happens when a worker dies is decided in one place (`scheduler`). What the units of a
run are is not known here.
"""

from patrizier.arena.executors.base import Executor as Executor
from patrizier.arena.executors.base import ExecutorError as ExecutorError
from patrizier.arena.executors.base import Job as Job
from patrizier.arena.executors.base import LostUnit as LostUnit
from patrizier.arena.executors.base import Node as Node
from patrizier.arena.executors.base import Worker as Worker
from patrizier.arena.executors.choice import choose_executor as choose_executor
from patrizier.arena.executors.local import InProcess as InProcess
from patrizier.arena.executors.local import Processes as Processes
from patrizier.arena.executors.local import on_this_machine as on_this_machine
