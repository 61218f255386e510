"""Files are written whole, and nothing beside them is touched."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from files import add_line, ensure_free, whole  # noqa: E402


def test_a_file_is_replaced_whole_and_its_neighbours_stay(tmp_path):
    path, neighbour = tmp_path / "run.state", tmp_path / "run.state.new"
    neighbour.write_text("mine")
    for text in ("one", "two"):
        with whole(path) as beside:
            beside.write_text(text)
    with pytest.raises(RuntimeError):
        with whole(path) as beside:
            beside.write_text("half")
            raise RuntimeError
    assert (path.read_text(), neighbour.read_text()) == ("two", "mine")
    assert sorted(found.name for found in tmp_path.iterdir()) == ["run.state", "run.state.new"]


def test_lines_are_added_behind_whole_lines_only(tmp_path):
    path = tmp_path / "log.jsonl"
    for left, lines, aside in [
        ("", [], None),
        ('{"a": 1}', [{"a": 1}], None),
        ('{"a": 1}\n{"a": 2', [{"a": 1}], '{"a": 2'),
        ('{"a"', [], '{"a"'),
    ]:
        path.write_text(left)
        add_line(path, a=3)
        assert [json.loads(line) for line in path.read_text().splitlines()] == [*lines, {"a": 3}]
        torn = sorted(tmp_path.glob("log.jsonl.torn-*"))
        assert aside is None or torn[-1].read_text() == aside


def test_a_torn_line_may_be_long_and_finds_a_free_place(tmp_path):
    path, taken = tmp_path / "log.jsonl", tmp_path / "log.jsonl.torn-1"
    taken.write_text("mine")
    torn = '{"a": "' + "x" * (1 << 21)
    path.write_text(f'{{"a": 1}}\n{torn}')
    add_line(path, a=3)
    assert path.read_text() == '{"a": 1}\n{"a": 3}\n'
    assert (taken.read_text(), (tmp_path / "log.jsonl.torn-2").read_text()) == ("mine", torn)


def test_what_others_wrote_stays_as_it_is(tmp_path):
    notes = tmp_path / "notes.txt"
    for text in ("my notes", '{"b": 1}\nmy notes', '{"b": 1}', '{"b": 1}\n'):
        notes.write_text(text)
        with pytest.raises(SystemExit, match="nothing was added"):
            add_line(notes, a=3)
        assert notes.read_text() == text
    with pytest.raises(SystemExit, match="notes.txt is not overwritten without --force"):
        ensure_free(notes, False)
    ensure_free(notes, True)
    ensure_free(tmp_path / "new.net", False)
    assert sorted(found.name for found in tmp_path.iterdir()) == ["notes.txt"]
