"""The parser of the whole command line."""

import argparse
import sys
from typing import NoReturn

from app.commands import (
    adapt,
    bench,
    commission,
    console,
    core,
    doctor,
    evaluate,
    export_motion,
    handset,
    import_motion,
    inertia,
    log,
    preflight,
    puppeteer,
    rehearse,
)


class Parser(argparse.ArgumentParser):
    """Refuses with one line and exit status 2."""

    def error(self, message: str) -> NoReturn:
        """Print the fault and exit."""
        print(f"{self.prog}: {message} (see {self.prog} --help)", file=sys.stderr)
        raise SystemExit(2)


def build_parser() -> Parser:
    """Return the parser; `perform` of the options that it returns runs the command."""
    parser = Parser(prog="footlight", description="Show control for a humanoid performer.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in (
        rehearse,
        console,
        handset,
        core,
        preflight,
        adapt,
        import_motion,
        export_motion,
        evaluate,
        bench,
        inertia,
        doctor,
        commission,
        log,
        puppeteer,
    ):
        command.add_to(commands)
    return parser
