"""The file of a net as the engine reads it, in `crates/engine/src/net/file.rs`: a checksum over named sections."""

import struct
import zlib

MAGIC, VERSION = b"OUTFLNET", 1


def pack(sections):
    """The bytes of a file with these sections: pairs of a name and its data."""
    parts = [struct.pack("<I", len(sections))]
    for name, data in sections:
        parts += [struct.pack("<B", len(name)), name.encode(), struct.pack("<I", len(data)), data]
    body = b"".join(parts)
    return MAGIC + struct.pack("<II", VERSION, zlib.adler32(body)) + body


def unpack(data):
    """The sections of a file by name. `ValueError` if these are not the bytes of a net that was written whole."""
    at = len(MAGIC)
    if not data.startswith(MAGIC):
        raise ValueError("no net")

    def take(count):
        nonlocal at
        if at + count > len(data):
            raise ValueError("too short")
        at += count
        return data[at - count : at]

    def number():
        return struct.unpack("<I", take(4))[0]

    if (version := number()) != VERSION:
        raise ValueError(f"version {version} of the format, not {VERSION}")
    if number() != zlib.adler32(data[at:]):
        raise ValueError("the checksum is wrong")
    sections = {}
    for _ in range(number()):
        name = take(take(1)[0]).decode()
        sections[name] = take(number())
    if at != len(data):
        raise ValueError("too long")
    return sections
