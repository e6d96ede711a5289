"""Thousands of games at once, on CPU and GPU, by the same rules.

Contains the batch, the layout of observations and the loops over games, but no rule of the game:
every decision is checked and applied by the kernels of `patrizier.rules`.
"""

from patrizier.batch.batch import Batch as Batch
from patrizier.batch.decoding import decode as decode
from patrizier.batch.decoding import explain as explain
from patrizier.batch.layout import FLOATS as FLOATS
from patrizier.batch.layout import OBSERVATION as OBSERVATION
from patrizier.batch.layout import OBSERVATION_VERSION as OBSERVATION_VERSION
from patrizier.batch.layout import describe as describe
from patrizier.batch.observation import observe as observe
from patrizier.batch.observation import observe_floats as observe_floats
from patrizier.errors import DeviceError as DeviceError
from patrizier.rules.codes import DECISIONS as DECISIONS
