"""The file that all records come into."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from outflank_cluster import RecordFile, RecordFileError


def record(game: int, **more: object) -> dict[str, object]:
    return {"game": game, "moves": ["e3e4"], **more}


def test_each_game_is_kept_once_and_without_its_shard(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with RecordFile(path) as records:
        assert records.add([record(3, shard={"index": 1, "count": 2, "games": 8}), record(3)]) == 1
        assert records.add([record(3), record(1)]) == 1
        assert len(records) == 2 and 3 in records and 0 not in records
        assert records.lines([0, 1]) == ['{"game":1,"moves":["e3e4"]}\n']
    assert [json.loads(line) for line in path.read_text().splitlines()] == [record(3), record(1)]


def test_a_file_is_gone_on_with_behind_its_last_whole_line(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text('{"game":0}\n\n{"game":4}\n{"game":5,"mov')
    with RecordFile(path) as records:
        assert records.sample(10) == ['{"game":0}\n', '{"game":4}\n'] and records.sample(1) == ['{"game":0}\n']
        records.add([record(5)])
    assert path.read_text() == '{"game":0}\n\n{"game":4}\n{"game":5,"moves":["e3e4"]}\n'


@pytest.mark.parametrize(
    ("text", "complaint"),
    [('{"game":1}\n{"game":1}\n', "line 2: game 1 is there twice"), ("[]\n", "line 1: no record")],
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
