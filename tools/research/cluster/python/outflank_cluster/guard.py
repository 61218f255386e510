"""Starts a program that the system ends together with its parent: `guard.py PARENT PROGRAM ARGUMENT...`.

A worker that is killed with -9 cannot end what it started. On Linux the kernel does it; elsewhere a program left alone
plays its shard to the end, and nobody reads its games.
"""

import os
import sys


def main() -> None:
    """Becomes the program."""
    parent, command = int(sys.argv[1]), sys.argv[2:]
    if sys.platform == "linux":
        import ctypes
        import signal

        PR_SET_PDEATHSIG = 1
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL))
        if os.getppid() != parent:  # It was gone before the kernel was told.
            sys.exit(1)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
