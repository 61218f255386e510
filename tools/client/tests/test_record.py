"""Records are read, written and shown as `docs/records.md` has them."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT
from outflank import Record, RecordError, Side

GAME = ROOT / "tools" / "record" / "tests" / "game.jsonl"


def test_a_record_is_written_as_it_was_read(tmp_path: Path) -> None:
    line = GAME.read_text(encoding="utf-8").strip()
    (record,) = Record.read(GAME)
    assert str(record) == line
    path = tmp_path / "games.jsonl"
    Record.write(path, [record, record])
    Record.write(path, [record], append=True)
    path.write_text(path.read_text(encoding="utf-8") + "\n\n", encoding="utf-8")
    assert list(Record.read(path)) == [record] * 3


def test_unknown_keys_and_other_letters_are_kept() -> None:
    data = json.loads(GAME.read_text(encoding="utf-8"))
    data["novel"], data["players"][0]["name"] = {"share": 0.03, "none": None}, "Grüße"
    line = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    assert str(Record.parse(line)) == line


def test_a_record_has_what_its_line_says() -> None:
    record = next(Record.read(GAME))
    assert record.game == 0 and record.plies == 27 == len(record.moves) == len(record.nodes)
    assert record.rules.preset == "isf" and record.rules.on("barrage")
    assert record.players[Side.BLUE].name == "b" and record.players[Side.RED].kind == "engine"
    assert record.players[Side.RED].told["nodes"] == 50
    assert record.setups[Side.RED].count(".") == 32
    assert (record.outcome.winner, record.outcome.reason, record.outcome.fault) == (Side.RED, "flag", None)
    assert record.points("a") == 1 and record.points("b") == 0
    assert sum(ply.result is not None for ply in record.moves) == 5
    assert record.clocks == () and str(record.moves[-1]) == "f9xf10=WMF"
    with pytest.raises(KeyError):
        record.points("c")


def test_draws_give_half_a_point_each_and_clocks_are_seconds() -> None:
    data = json.loads(GAME.read_text(encoding="utf-8"))
    data["outcome"], data["clocks"] = {"winner": "draw", "reason": "plies"}, [1500]
    record = Record.parse(json.dumps(data))
    assert record.outcome.winner is None and record.points("a") == record.points("b") == 0.5
    assert record.clocks == (1.5,)


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + GAME.read_bytes())
    (record,) = Record.read(path)
    assert record == next(Record.read(GAME)) == Record.parse("\ufeff" + GAME.read_text(encoding="utf-8"))
    Record.write(path, [record], append=True)
    assert list(Record.read(path)) == [record] * 2


def test_records_are_appended_behind_whole_lines_only(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path, line = tmp_path / "games.jsonl", GAME.read_text(encoding="utf-8").strip()
    record = Record.parse(line)
    path.write_text(line, encoding="utf-8")
    Record.write(path, [record], append=True)
    assert path.read_text(encoding="utf-8") == f"{line}\n{line}\n"
    path.write_text(f"{line}\n{line[:100]}", encoding="utf-8")
    Record.write(path, [record], append=True)
    assert path.read_text(encoding="utf-8") == f"{line}\n{line}\n"
    aside = tmp_path / "games.jsonl.torn-1"
    assert aside.read_text(encoding="utf-8") == line[:100] and str(aside) in caplog.text
    for foreign in ("my notes", f"my notes\n{line}\n", f"{line}\nmy notes", "{}\n", '{"game":1}'):
        path.write_text(foreign, encoding="utf-8")
        with pytest.raises(ValueError, match="line"):
            Record.write(path, [record], append=True)
        assert path.read_text(encoding="utf-8") == foreign
    fresh = tmp_path / "fresh.jsonl"
    Record.write(fresh, [record], append=True)
    assert list(Record.read(fresh)) == [record]


def test_nothing_is_appended_to_a_file_in_use(tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    path, (record,) = tmp_path / "games.jsonl", Record.read(GAME)
    Record.write(path, [record])
    with open(path, "ab") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        held.write(b'{"game":1,')
        held.flush()
        with pytest.raises(BlockingIOError, match="another process"):
            Record.write(path, [record], append=True)
    assert path.read_bytes().endswith(b'\n{"game":1,') and not list(tmp_path.glob("*.torn-*"))


def test_a_file_is_appended_to_itself_once(tmp_path: Path) -> None:
    path, (record,) = tmp_path / "games.jsonl", Record.read(GAME)
    Record.write(path, [record])
    Record.write(path, Record.read(path), append=True)
    assert list(Record.read(path)) == [record] * 2


def test_what_cannot_be_appended_whole_leaves_nothing(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    path, (record,) = tmp_path / "games.jsonl", Record.read(GAME)
    Record.write(path, [record])
    before, limits = path.read_bytes(), resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 100, limits[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            Record.write(path, [record], append=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert path.read_bytes() == before


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path, (record,) = tmp_path / "games.jsonl", Record.read(GAME)
    Record.write(path, [record, record])
    path.chmod(0o640)
    # Out of the file that is written.
    Record.write(path, Record.read(path))
    assert list(Record.read(path)) == [record] * 2 and path.stat().st_mode & 0o777 == 0o640

    def failing() -> Iterator[Record]:
        yield record
        raise OSError("no more")

    with pytest.raises(OSError, match="no more"):
        Record.write(path, failing())
    assert list(Record.read(path)) == [record] * 2
    link = tmp_path / "link.jsonl"
    link.symlink_to(path)
    Record.write(link, [record])
    assert link.is_symlink() and list(Record.read(path)) == [record]
    Record.write("/dev/null", [record])
    assert sorted(found.name for found in tmp_path.iterdir()) == ["games.jsonl", "link.jsonl"]


@pytest.mark.parametrize("change", ["moves", "outcome", "players"])
def test_what_is_no_record_is_refused_with_its_line(tmp_path: Path, change: str) -> None:
    data = json.loads(GAME.read_text(encoding="utf-8"))
    path = tmp_path / "bad.jsonl"
    path.write_text("\n" + json.dumps({**data, change: ["nonsense"]}), encoding="utf-8")
    with pytest.raises(ValueError, match="line 2"):
        list(Record.read(path))
    del data[change]
    with pytest.raises(ValueError, match=change):
        Record.parse(json.dumps(data))
    with pytest.raises(ValueError):
        Record.parse("[]")


def test_json_that_is_no_record_is_one_kind_of_error(tmp_path: Path) -> None:
    data = json.loads(GAME.read_text(encoding="utf-8"))
    changes: list[dict[str, object]] = [
        {"players": [{}, {}]},
        {"players": [1, 2]},
        {"outcome": {}},
        {"outcome": 1},
        {"moves": [1]},
        {"setups": ["one"]},
        {"game": float("inf")},
        {"game": None},
        {"rules": 1},
        {"nodes": 1},
        {"clocks": ["a"]},
    ]
    lines = [json.dumps({**data, **change}) for change in changes]
    for line in [*lines, "1", "null", "[" * 100_000, '{"game":' * 100_000, "", "{"]:
        with pytest.raises(RecordError):
            Record.parse(line)
    path = tmp_path / "bad.jsonl"
    path.write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(RecordError, match="line 1: no record: it is nested too deeply"):
        list(Record.read(path))


def test_what_a_power_cut_leaves_is_put_aside(tmp_path: Path) -> None:
    path, line = tmp_path / "games.jsonl", GAME.read_text(encoding="utf-8").strip()
    record = Record.parse(line)
    for number, begun in enumerate(("", line[:100]), 1):
        path.write_text(f"{line}\n{begun}" + "\0" * 3000, encoding="utf-8")
        Record.write(path, [record], append=True)
        assert list(Record.read(path)) == [record] * 2
        assert (tmp_path / f"games.jsonl.torn-{number}").read_text(encoding="utf-8") == begun + "\0" * 3000


def test_an_unfinished_game_has_no_winner_and_no_points() -> None:
    record = next(Record.read(ROOT / "tools" / "play" / "tests" / "data" / "begun.jsonl"))
    assert (record.outcome.winner, record.outcome.reason) == (None, "unfinished")
    with pytest.raises(ValueError, match="unfinished"):
        record.points("human")


def test_a_record_is_stepped_through_position_by_position() -> None:
    record = next(Record.read(GAME))
    positions = list(record)
    assert [position.ply for position in positions] == list(range(record.plies + 1))
    assert [position.plies[-1] for position in positions[1:]] == list(record.moves)
    assert all(not position.over for position in positions[:-1])
    assert positions[-1].outcome == record.outcome
    # Each is the caller's own.
    positions[3].pop()
    assert positions[4].ply == 4 and positions[2].board() == positions[3].board()


def test_a_recorded_ply_that_the_rules_forbid_is_named() -> None:
    data = json.loads(GAME.read_text(encoding="utf-8"))
    data["moves"][1] = data["moves"][0]
    with pytest.raises(ValueError, match=str(data["moves"][0])):
        list(Record.parse(json.dumps(data)))
