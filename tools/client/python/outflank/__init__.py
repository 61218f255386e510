"""Drive Outflank, a Stratego engine, or any engine that speaks SEI 1, from Python.

>>> import outflank
>>> with outflank.SimpleEngine.popen() as engine:
...     engine.new_game(rules="isf", side="red")
...     army = engine.setup("red", "auto")
...     choice = engine.play(outflank.Limit(nodes=200))
>>> print(choice.move is not None)
True
"""

from __future__ import annotations

from . import arena
from .answers import Explanation, Info, Limit, Option, PlayResult, RepetitionWarning, Rules, Status
from .arena import ArenaError, Contender, MatchResult, play_game
from .beliefs import Belief, PieceBelief
from .board import Board, Piece
from .engine import Analysis, Engine, popen
from .errors import (
    ERRORS,
    BadEncodingError,
    CommandSyntaxError,
    DesyncedError,
    EmptySquareError,
    EngineError,
    EngineTerminatedError,
    EngineTimeoutError,
    GameOverError,
    HiddenError,
    IllegalMoveError,
    InternalError,
    LineTooLongError,
    NoBeliefError,
    NoSetupError,
    NotOurTurnError,
    OptionError,
    OptionValueError,
    PositionError,
    ProtocolError,
    RecordError,
    RepetitionError,
    RepliedError,
    ResultError,
    ResultNeededError,
    RevealError,
    RulesError,
    SetupError,
    StartedError,
    UndoError,
    UnknownCommandError,
    UnreadableMoveError,
    WorldError,
)
from .outcome import GameOutcome
from .position import Position
from .record import Player, Record
from .rulesystem import RuleSystem
from .simple import SimpleAnalysis, SimpleEngine
from .values import LAKES, Move, Outcome, Ply, Rank, Rescue, Result, Side, Square

__all__ = [
    "Analysis",
    "ArenaError",
    "BadEncodingError",
    "Belief",
    "Board",
    "CommandSyntaxError",
    "Contender",
    "DesyncedError",
    "ERRORS",
    "EmptySquareError",
    "Engine",
    "EngineError",
    "EngineTerminatedError",
    "EngineTimeoutError",
    "Explanation",
    "GameOutcome",
    "GameOverError",
    "HiddenError",
    "IllegalMoveError",
    "Info",
    "InternalError",
    "LAKES",
    "Limit",
    "LineTooLongError",
    "MatchResult",
    "Move",
    "NoBeliefError",
    "NoSetupError",
    "NotOurTurnError",
    "Option",
    "OptionError",
    "OptionValueError",
    "Outcome",
    "Piece",
    "PieceBelief",
    "PlayResult",
    "Player",
    "Ply",
    "Position",
    "PositionError",
    "ProtocolError",
    "Rank",
    "Record",
    "RecordError",
    "RepetitionError",
    "RepetitionWarning",
    "RepliedError",
    "Rescue",
    "Result",
    "ResultError",
    "ResultNeededError",
    "RevealError",
    "RuleSystem",
    "Rules",
    "RulesError",
    "SetupError",
    "Side",
    "SimpleAnalysis",
    "SimpleEngine",
    "Square",
    "StartedError",
    "Status",
    "UndoError",
    "UnknownCommandError",
    "UnreadableMoveError",
    "WorldError",
    "arena",
    "play_game",
    "popen",
]
