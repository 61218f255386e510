"""What can go wrong: an exception for each code of the protocol's `error` lines, and for each way to lose an engine;
for texts that are no record, and pieces that nothing is believed about."""

from __future__ import annotations

__all__ = [
    "BadEncodingError",
    "CommandSyntaxError",
    "DesyncedError",
    "EmptySquareError",
    "EngineError",
    "EngineTerminatedError",
    "EngineTimeoutError",
    "ERRORS",
    "GameOverError",
    "HiddenError",
    "IllegalMoveError",
    "InternalError",
    "LineTooLongError",
    "NoBeliefError",
    "NoSetupError",
    "NotOurTurnError",
    "OptionError",
    "OptionValueError",
    "PositionError",
    "ProtocolError",
    "RecordError",
    "RepetitionError",
    "RepliedError",
    "ResultError",
    "ResultNeededError",
    "RevealError",
    "RulesError",
    "SetupError",
    "StartedError",
    "UndoError",
    "UnknownCommandError",
    "UnreadableMoveError",
    "WorldError",
    "replied",
]


class EngineError(Exception):
    """Anything that went wrong with an engine; all exceptions of this module but the two below are kinds of it."""


class RecordError(ValueError):
    """A text is no record of a game."""


class NoBeliefError(KeyError):
    """Nothing is believed about this place: no piece whose belief was asked for stands there."""

    def __init__(self, place: object) -> None:
        super().__init__(str(place))
        self.place = str(place)
        """The place."""

    def __str__(self) -> str:
        return f"there is no belief about {self.place}: none of these pieces is there"


class EngineTerminatedError(EngineError):
    """The process of the engine has ended. `returncode` is its exit status (negative: a signal), `None` if unknown."""

    def __init__(self, message: str, returncode: int | None = None) -> None:
        super().__init__(message)
        self.returncode = returncode


class EngineTimeoutError(EngineError, TimeoutError):
    """The engine did not answer in time. It is killed, since a late answer would be taken for that to another line."""


class ProtocolError(EngineError):
    """The engine said something that is not SEI 1."""


class RepliedError(EngineError):
    """The engine answered `error <code> <text>`, and the game is as it was. `code` is for programs, `text` for people.

    An engine's code that is not in the protocol raises this class itself.
    """

    code: str = ""

    def __init__(self, text: str, code: str | None = None) -> None:
        super().__init__(f"{code or self.code}: {text}")
        self.text = text
        if code is not None:
            self.code = code


class UnknownCommandError(RepliedError):
    """`unknown`: no command has this name."""

    code = "unknown"


class CommandSyntaxError(RepliedError):
    """`syntax`: the words do not fit the command."""

    code = "syntax"


class BadEncodingError(RepliedError):
    """`encoding`: the line is not UTF-8."""

    code = "encoding"


class LineTooLongError(RepliedError):
    """`too-long`: the line is over 1 MiB."""

    code = "too-long"


class OptionError(RepliedError):
    """`option`: no option has this name."""

    code = "option"


class OptionValueError(RepliedError):
    """`value`: the option does not take this value, or its memory cannot be had."""

    code = "value"


class RulesError(RepliedError):
    """`rules`: no rule or preset has this name, or it takes another value."""

    code = "rules"


class SetupError(RepliedError):
    """`setup`: the setup cannot be read or does not fit the army."""

    code = "setup"


class PositionError(RepliedError):
    """`position`: the position cannot be read or cannot be."""

    code = "position"


class UnreadableMoveError(RepliedError):
    """`move`: the word is no move."""

    code = "move"


class IllegalMoveError(RepliedError):
    """`illegal`: the move, or its rescue, cannot be made."""

    code = "illegal"


class RepetitionError(RepliedError):
    """`repetition`: the move of our side, or in a study, breaks a repetition rule."""

    code = "repetition"


class ResultError(RepliedError):
    """`result`: the reported result contradicts what is known, or no army would be left that fits."""

    code = "result"


class ResultNeededError(RepliedError):
    """`result-needed`: the strike needs its result, as in `e4xe5=W95`."""

    code = "result-needed"


class StartedError(RepliedError):
    """`started`: rules and setups are fixed once the game has begun or a position stands."""

    code = "started"


class NoSetupError(RepliedError):
    """`no-setup`: our setup is not known, or in barrage not the enemy's squares."""

    code = "no-setup"


class NotOurTurnError(RepliedError):
    """`not-our-turn`: a move was asked for on the enemy's turn."""

    code = "not-our-turn"


class GameOverError(RepliedError):
    """`game-over`: the game is over, or another outcome was reported before."""

    code = "game-over"


class DesyncedError(RepliedError):
    """`desynced`: an earlier ply or position failed; `undo(0)` confirms that the game is right as it is."""

    code = "desynced"


class HiddenError(RepliedError):
    """`hidden`: the answer depends on ranks that are hidden from our side."""

    code = "hidden"


class EmptySquareError(RepliedError):
    """`empty`: no piece stands on that square."""

    code = "empty"


class UndoError(RepliedError):
    """`undo`: fewer plies were made than are to be taken back."""

    code = "undo"


class RevealError(RepliedError):
    """`reveal`: the revealed board cannot be read or is not this game's."""

    code = "reveal"


class WorldError(RepliedError):
    """`world`: no army fits the position."""

    code = "world"


class InternalError(RepliedError):
    """`internal`: a fault of the engine; the game is kept."""

    code = "internal"


ERRORS: dict[str, type[RepliedError]] = {kind.code: kind for kind in RepliedError.__subclasses__()}
"""The exception of each error code of SEI 1."""


def replied(line: str) -> RepliedError:
    """The exception for an `error <code> <text>` line."""
    _, code, text, *_ = [*line.split(" ", 2), "", ""]
    kind = ERRORS.get(code)
    return RepliedError(text, code) if kind is None else kind(text)
