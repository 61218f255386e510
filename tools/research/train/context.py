"""What a process of the learner has to reckon with, and where a run keeps its things."""

import contextlib
import glob
import os
import time
import zlib
from pathlib import Path

import torch
from files import add_line, whole


class Context:
    """What a process has to reckon with."""

    def __init__(self, config):
        self.config = config
        name = config.get("device", "auto")
        self.device = torch.device("cuda" if name == "auto" and torch.cuda.is_available() else "cpu" if name == "auto" else name)
        torch.set_num_threads(config.get("threads", os.cpu_count()))

    def precision(self):
        """Half precision wherever it is fast; a processor that has to emulate it is ten times slower with it."""
        # An older torch does not tell.
        tells = [getattr(torch.cpu, name, None) for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported")]
        fast = self.device.type != "cpu" or any(tell is None or tell() for tell in tells)
        if self.config.get("half", fast):
            return torch.autocast(self.device.type, dtype=torch.bfloat16)
        return contextlib.nullcontext()


class Run(Context):
    """Where a run keeps its things, too."""

    def __init__(self, config):
        super().__init__(config)
        self.folder = Path(os.path.expandvars(config["folder"])).expanduser()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.every = config.get("keep_seconds", 600)

    def path(self, name):
        """A file of this run."""
        return self.folder / name

    def locate(self, name):
        """A file named in the configuration: as it is, or of this run."""
        path = Path(os.path.expandvars(name)).expanduser()
        return path if path.exists() else self.path(name)

    def files(self, part):
        """Recorded games: about every twentieth file, by its name, is held out; the others train."""
        found = sorted(glob.glob(os.path.expandvars(os.path.expanduser(self.config["imitate"]["games"]))))
        return [file for file in found if (zlib.crc32(Path(file).name.encode()) % 20 == 0) == (part == "held_out")]

    def log(self, **line):
        """One JSON line."""
        add_line(self.path("log.jsonl"), time=round(time.time()), **line)

    def keep(self, network, optimizer, **state):
        """Keeps all that is needed to go on; written aside and put in place at once."""
        kept = {"network": network.state_dict(), "optimizer": optimizer.state_dict(), **state}
        with whole(self.path(f"{self.stage}.state")) as beside:
            torch.save(kept, beside)

    def resume(self, network, optimizer):
        """Takes up what was kept; returns the rest of it."""
        path = self.path(f"{self.stage}.state")
        if not path.exists():
            return {}
        # As in `network.load`: nothing in the file is run.
        kept = torch.load(path, map_location=self.device, weights_only=True)
        network.load_state_dict(kept.pop("network"))
        optimizer.load_state_dict(kept.pop("optimizer"))
        return kept
