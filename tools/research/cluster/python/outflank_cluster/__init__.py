"""Matches over many machines, as tasks on Ray.

A `Contest` is what `outflank-arena match` is told. `play` shares its games out as tasks, keeps each record once in one
`RecordFile`, and goes on where an earlier call was broken off.
"""

from .contest import Contest, ContestError
from .driver import Failure, Limits, play
from .records import RecordFile, RecordFileError
from .report import Reporter

__all__ = ["Contest", "ContestError", "Failure", "Limits", "RecordFile", "RecordFileError", "Reporter", "play"]
