"""`python -m outflank_cluster`."""

from .command import main

main()
