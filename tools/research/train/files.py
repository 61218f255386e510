"""Files that appear whole, and files of JSON lines that a kill may have cut short."""

import itertools
import json
import os
import secrets
from contextlib import contextmanager
from pathlib import Path

BLOCK = 1 << 16
"""Bytes that are read at once."""


@contextmanager
def whole(path):
    """The path of a new file beside this one: it takes its place at the end, and is gone after an error. A kill leaves
    what was there."""
    place = Path(os.path.realpath(path))
    beside = place.with_name(f".{place.name}-{secrets.token_hex(8)}")
    try:
        yield beside
        if place.exists():
            beside.chmod(place.stat().st_mode & 0o7777)
        beside.replace(place)
    finally:
        beside.unlink(missing_ok=True)


def ensure_free(path, force):
    """Ends the program if a file is there that must not be replaced."""
    if not force and Path(path).is_file():
        raise SystemExit(f"{path} is not overwritten without --force")


def add_line(path, **line):
    """Adds one JSON line. What a kill left of a last line is put into a file of its own beside it. A file whose last line does not
    begin as this one is somebody else's, and stays as it is."""
    path, text = Path(path), json.dumps(line).encode()
    with open(path, "a+b") as file:
        mend(file, path, text[: text.index(b":") + 1])
        file.write(text + b"\n")


def mend(file, path, beginning):
    """Lets a file end with a whole line, as the package `outflank` does with records."""
    line = last_line(file)
    text = line.removesuffix(b"\n")
    if text.strip() and not (text.startswith(beginning) or beginning.startswith(text)):
        raise SystemExit(f"{path}: its last line is none of a log's; nothing was added")
    if text == line and text:
        try:
            json.loads(text)
        except ValueError:
            aside = set_aside(path, text)
            file.truncate(file.seek(0, os.SEEK_END) - len(text))
            print(f"{path}: its last line was cut short; it is in {aside} now", flush=True)
        else:
            file.write(b"\n")


def last_line(file):
    """The last line of an open file, with its end if it has one; however long it is."""
    start = file.seek(0, os.SEEK_END)
    tail = b""
    while start and b"\n" not in tail[:-1]:
        size = min(start, BLOCK)
        start -= size
        file.seek(start)
        tail = file.read(size) + tail
    return tail[tail[:-1].rfind(b"\n") + 1 :]


def set_aside(path, text):
    """Puts a text into a new file beside another one, for good; its path."""
    for number in itertools.count(1):
        aside = path.with_name(f"{path.name}.torn-{number}")
        try:
            with open(aside, "xb") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            return aside
        except FileExistsError:
            pass
