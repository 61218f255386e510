"""Files that appear whole, and files of JSON lines that a kill may have cut short."""

import json
import os
import secrets
from contextlib import contextmanager
from pathlib import Path


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
    """Lets a file end with a whole line."""
    size = file.seek(0, os.SEEK_END)
    start = max(0, size - (1 << 20))
    file.seek(start)
    before, _, tail = file.read().rpartition(b"\n")
    if not tail:
        return
    if not (tail.startswith(beginning) or beginning.startswith(tail)):
        raise SystemExit(f"{path}: its last line is none of a log's; nothing was added")
    try:
        json.loads(tail)
    except ValueError:
        number = 1
        while (aside := path.with_name(f"{path.name}.torn-{number}")).exists():
            number += 1
        with open(aside, "xb") as other:
            other.write(tail)
        file.truncate(size - len(tail))
        print(f"{path}: its last line was cut short; it is in {aside} now", flush=True)
    else:
        file.write(b"\n")
