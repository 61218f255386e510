"""The rule systems as data: what each key of `protocol.md` is worth under each preset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .answers import Rules
from .values import Rank

__all__ = ["RuleSystem"]

_SWITCHES = ("scout", "moresquares", "advance", "aggressor", "silent", "rescue", "barrage")
_COUNTS = ("twosquares", "quiet", "plies")
_STUCK = ("loses", "attrition", "draw-if-both")
# In the order in which texts write them.
_KEYS = ("scout", "twosquares", "moresquares", "advance", "stuck", "aggressor", "silent", "rescue", "quiet", "plies", "barrage")
_PRESETS: dict[str, dict[str, Any]] = {
    "1961": {"scout": False, "twosquares": 2, "advance": True},
    "vassal": {"twosquares": 5, "stuck": "attrition"},
    "gameboard": {"twosquares": 2},
    "wiki": {"twosquares": 2, "moresquares": True},
    "isf": {"twosquares": 3, "moresquares": True, "stuck": "draw-if-both"},
    "gravon": {"twosquares": 5, "moresquares": True},
    "evaluator": {"stuck": "attrition"},
}
_CLASSIC = dict(zip(Rank, (1, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6)))
_BARRAGE = dict(zip(Rank, (1, 1, 2, 1, 0, 0, 0, 0, 0, 1, 1, 1)))


@dataclass(frozen=True, slots=True)
class RuleSystem:
    """What a game is played by. The fields are the keys of `protocol.md`; counts are 0 where there is no limit.

    `twosquares`: turns running in which a piece may cross one border. `moresquares`: no endless chase. `scout`: scouts
    move and strike in one turn. `advance`: a defender that wins moves up. `stuck`: `loses`, `attrition` or
    `draw-if-both`. `aggressor`: of equal ranks the striker wins. `silent`: the defender's rank is not shown. `quiet`,
    `plies`: a draw after so many plies without a strike, or in all.
    """

    preset: str = "isf"
    scout: bool = True
    twosquares: int = 0
    moresquares: bool = False
    advance: bool = False
    stuck: str = "loses"
    aggressor: bool = False
    silent: bool = False
    rescue: bool = False
    barrage: bool = False
    quiet: int = 0
    plies: int = 0

    @classmethod
    def parse(cls, text: str | Rules | RuleSystem) -> RuleSystem:
        """The system of a text such as `isf quiet=200`; without a preset it is `isf`. `ValueError` for other texts."""
        if isinstance(text, RuleSystem):
            return text
        rules = Rules.parse(str(text))
        preset = rules.preset or "isf"
        if preset not in _PRESETS:
            raise ValueError(f"{preset!r} is no preset: one of {', '.join(_PRESETS)}")
        keys: dict[str, Any] = {key: _value(key, value) for key, value in rules.keys.items()}
        return cls(preset, **{**_PRESETS[preset], **keys})

    def __str__(self) -> str:
        """The system as `parse` reads it, and an engine takes it: `isf barrage=on`."""
        preset, *keys = self.changes().items()
        return " ".join([preset[1], *(f"{key}={value}" for key, value in keys)])

    def army(self) -> dict[Rank, int]:
        """How many pieces of each rank an army has."""
        return dict(_BARRAGE if self.barrage else _CLASSIC)

    def changes(self) -> dict[str, str]:
        """The preset and the keys that differ from it, as texts write them: `{"preset": "isf", "barrage": "on"}`."""
        plain = RuleSystem.parse(self.preset)
        keys = {"preset": self.preset}
        for key in _KEYS:
            value = getattr(self, key)
            if value != getattr(plain, key):
                keys[key] = ("off", "on")[value] if isinstance(value, bool) else str(value)
        return keys


def _value(key: str, value: str) -> bool | int | str:
    if key in _SWITCHES and value in ("on", "off"):
        return value == "on"
    if key in _COUNTS and value.isdecimal() and (key != "twosquares" or int(value) <= 8):
        return int(value)
    if key == "stuck" and value in _STUCK:
        return value
    raise ValueError(f"no rule is {key}={value}")
