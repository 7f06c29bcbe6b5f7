"""`footlight log`: the record of a run."""

from argparse import Namespace
from pathlib import Path
from typing import Any

from app.commands.output import complain, refuse, say


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    log = commands.add_parser("log", help="read the record of a run")
    log.set_defaults(perform=perform)
    actions = log.add_subparsers(dest="action", required=True, metavar="ACTION")
    show = actions.add_parser("show", help="print a run at a glance")
    show.add_argument("run", type=Path, metavar="RUN.mcap")
    export = actions.add_parser("export", help="write a run as arrays")
    export.add_argument("run", type=Path, metavar="RUN.mcap")
    export.add_argument("out", type=Path, metavar="OUT.npz")


def perform(options: Namespace) -> int:
    """Read the record of a run."""
    from core.record.errors import RecordError

    try:
        if options.action == "export":
            return _log_export(options.run, options.out)
        return _log_show(options.run)
    except RecordError as error:
        return refuse(error)


def _log_export(run: Path, out: Path) -> int:
    from rich.console import Console

    from core.record.export import export

    console = Console(stderr=True)
    with console.status(f"reading {run.name}"):
        recording = export(run, out)
    if recording.problem:
        complain(recording.problem)
    ticks = sum(len(block) for block in recording.blocks)
    say(Console(), f"{out}: {ticks} ticks, {len(recording.event_t)} events")
    return 0


def _log_show(run: Path) -> int:
    from rich.console import Console

    from app.progress import table
    from core.record.reader import read
    from core.record.summary import summarise

    console = Console()
    with Console(stderr=True).status(f"reading {run.name}"):
        recording = read(run)
        summary = summarise(recording)
    console.print(table(run.name, summary.rows()))
    if recording.problem:
        complain(recording.problem)
    return 0
