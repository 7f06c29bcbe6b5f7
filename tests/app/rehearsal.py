"""The `footlight` command with the processes of tests/stand_in.py beneath it."""

import sys

import core.processes
from app.__main__ import main
from tests import stand_in

if __name__ == "__main__":
    core.processes.Supervisor.__init__.__defaults__ = (
        core.processes.ROLES,
        stand_in.command,
    )
    sys.exit(main())
