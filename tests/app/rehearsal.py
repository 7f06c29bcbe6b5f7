"""The `footlight` command with stand-ins beneath it: of the core, its siblings and the console."""

import sys
from pathlib import Path

import app.keeper
import core.run.processes
from app.__main__ import main
from tests import stand_in


def console_command(robot: str, endpoint: str, show: Path | None) -> list[str]:
    """Return the command line of a console that is none."""
    return [sys.executable, "-m", "tests.app.stand_in_console", endpoint]


if __name__ == "__main__":
    core.run.processes.Supervisor.__init__.__defaults__ = (
        core.run.processes.ROLES,
        stand_in.command,
    )
    app.keeper.console_command = console_command
    sys.exit(main())
