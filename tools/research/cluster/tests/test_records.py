"""The file that all records come into."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from outflank_cluster import RecordFile, RecordFileError


def record(game: int, **more: object) -> dict[str, object]:
    rest = {"rules": "isf", "players": [], "setups": [], "moves": ["e3e4"], "outcome": {}}
    return {"game": game, **rest, **more}


def line(game: int) -> str:
    return json.dumps(record(game), separators=(",", ":")) + "\n"


def test_each_game_is_kept_once_and_without_its_shard(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with RecordFile(path) as records:
        assert records.add([record(3, shard={"index": 1, "count": 2, "games": 8}), record(3)]) == 1
        assert records.add([record(3), record(1)]) == 1
        assert len(records) == 2 and 3 in records and 0 not in records
        assert records.lines([0, 1]) == [line(1)]
    assert [json.loads(line) for line in path.read_text().splitlines()] == [record(3), record(1)]


def test_a_file_is_gone_on_with_behind_its_last_whole_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(f"{line(0)}\n{line(4)}{line(5)[:14]}")
    with RecordFile(path) as records:
        assert records.sample(10) == [line(0), line(4)] and records.sample(1) == [line(0)]
        records.add([record(5)])
    assert path.read_text() == f"{line(0)}\n{line(4)}{line(5)}"
    # What was cut short is not lost.
    aside = tmp_path / "games.jsonl.torn-1"
    assert aside.read_text() == line(5)[:14] and str(aside) in capsys.readouterr().err


def test_a_last_record_that_lacks_only_its_end_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + f"{line(0)}{line(1)}".rstrip().encode())
    with RecordFile(path) as records:
        assert len(records) == 2 and records.lines([0, 1]) == [line(0), line(1)]
        records.add([record(2)])
    with RecordFile(path) as records:
        assert records.lines([0, 1, 2]) == [line(0), line(1), line(2)]
    assert [path.name for path in tmp_path.iterdir()] == ["games.jsonl"]


@pytest.mark.parametrize("change", ["removed", "replaced", "cut short"])
def test_a_file_that_is_gone_or_cut_short_takes_no_record(tmp_path: Path, change: str) -> None:
    path = tmp_path / "games.jsonl"
    with RecordFile(path) as records:
        records.add([record(0)])
        if change != "cut short":
            path.rename(tmp_path / "old.jsonl")
        if change != "removed":
            path.write_text("")
        with pytest.raises(RecordFileError, match="games.jsonl: it was removed, replaced or cut short"):
            records.add([record(1)])
    assert not path.exists() or path.read_text() == ""


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (line(1) + line(1), "line 2: game 1 is there twice"),
        ("[" * 100_000 + "\n", "line 1: no record"),
        ("[]\n", "line 1: no record"),
        ("my notes", "line 1: no record"),
        ('{"game":1}\n', "line 1: no record"),
        ('{"game":1}', "line 1: no record"),
        (line(1) + "my notes", "line 2: no record"),
        ("my notes\n" + line(1)[:20], "line 1: no record"),
    ],
)
def test_a_file_of_something_else_is_refused_and_stays(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(text)
    with pytest.raises(RecordFileError, match=complaint):
        RecordFile(path)
    assert path.read_text() == text


def test_a_file_has_one_writer(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with RecordFile(path), pytest.raises(RecordFileError, match="another process"):
        RecordFile(path)
    RecordFile(path).close()


def test_what_is_no_file_is_refused() -> None:
    with pytest.raises(RecordFileError, match="no regular file"):
        RecordFile("/dev/null")
