"""Options, and how games fall into shards."""

from __future__ import annotations

import re

import pytest
from conftest import ROOT
from outflank_cluster import Contest, ContestError

TWO = ["--engine", "cmd=./a", "nodes=5", "--engine", "cmd=./b"]


@pytest.mark.parametrize(
    ("more", "games", "together"),
    [
        ([], 100, 2),
        (["--games=8"], 8, 2),
        (["--games", "7", "--no-pairs"], 7, 1),
        (["--own-setups", "--games", "7"], 7, 1),
        (["--engine", "cmd=./c", "--games", "10"], 30, 6),
        (["--engine", "cmd=./c", "--games", "10", "--gauntlet"], 20, 4),
    ],
)
def test_a_match_has_as_many_games_as_the_arena_plays(more: list[str], games: int, together: int) -> None:
    contest = Contest.match([*TWO, *more])
    assert (contest.games, contest.games_a_round) == (games, together)


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_shards_have_each_game_once(count: int) -> None:
    contest = Contest.match([*TWO, "--games", "10"])
    shards = {shard: list(contest.games_of(shard, count)) for shard in range(1, count + 1)}
    assert sorted(game for games in shards.values() for game in games) == list(range(10))
    assert all(contest.shard_of(game, count) == shard for shard, games in shards.items() for game in games)


def test_a_shard_is_played_without_the_test() -> None:
    contest = Contest.match(["--sprt", "elo0=-5", "elo1=5", *TWO])
    assert contest.test == ("elo0=-5", "elo1=5")
    assert contest.command(2, 3, 4) == ["match", *TWO, "--shard=2/3", "--concurrency=4"]
    assert Contest.match([*TWO, "--concurrency", "2"]).command(1, 2, 4)[-1] == "--shard=1/2"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--engine", "cmd=./a"], "two engines"),
        ([*TWO, "--games", "7"], "even number"),
        ([*TWO, "--games", "0"], "no games"),
        ([*TWO, "--games", "many"], "takes a number"),
        ([*TWO, "--out", "file"], "told before --"),
        ([*TWO, "--resume"], "always gone on with"),
        ([*TWO, "--shard=1/2"], "what the tasks play"),
        (["stray", *TWO], "belongs to no option"),
        ([*TWO, "--engine", "cmd=./c", "--sprt", "elo1=5"], "between two"),
    ],
)
def test_what_makes_no_match_is_refused(words: list[str], complaint: str) -> None:
    with pytest.raises(ContestError, match=complaint):
        Contest.match(words)


def test_the_version_is_the_engines() -> None:
    files = [ROOT / "Cargo.toml", ROOT / "tools" / "research" / "cluster" / "pyproject.toml"]
    versions = {re.findall(r'^version = "(.*)"$', file.read_text(), re.MULTILINE)[0] for file in files}
    assert len(versions) == 1
