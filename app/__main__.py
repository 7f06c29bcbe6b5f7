"""The `footlight` command: reads its arguments and runs the command that they name.

Imports lazily: `footlight --help` loads no solver, and the robot's computer no toolkit.
"""

import signal
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence

from app.commands.parser import build_parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status: 0 done, 1 not done, 2 bad input."""
    # Until a run handles it, Ctrl-C ends the command silently.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    options = build_parser().parse_args(arguments)
    perform: Callable[[Namespace], int] = options.perform
    return perform(options)


if __name__ == "__main__":
    sys.exit(main())
