"""`footlight log`: the record of a run."""

import os
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.commands.output import complain, refuse, say

if TYPE_CHECKING:
    from app.runs.source import Library

NICE = 5  # a window of a run takes no time from a core beside it


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    log = commands.add_parser("log", help="read the record of a run")
    actions = log.add_subparsers(dest="action", required=True, metavar="ACTION")
    show = actions.add_parser("show", help="print a run at a glance")
    show.add_argument("run", type=Path, metavar="RUN.mcap")
    show.set_defaults(perform=_show)
    view = actions.add_parser("view", help="open a run, or two over each other, in a window")
    view.add_argument("run", type=Path, metavar="RUN.mcap")
    view.add_argument("second", type=Path, nargs="?", metavar="SECOND.mcap")
    view.set_defaults(perform=_view)
    report = actions.add_parser("report", help="write the report of a run as PDF")
    report.add_argument("run", type=Path, metavar="RUN.mcap")
    report.add_argument("out", type=Path, metavar="OUT.pdf")
    report.set_defaults(perform=_report)
    person = actions.add_parser("person", help="write the motion of the person as a BVH file")
    person.add_argument("run", type=Path, metavar="RUN.mcap")
    person.add_argument("out", type=Path, metavar="OUT.bvh")
    person.set_defaults(perform=_person)
    export = actions.add_parser("export", help="write a run as arrays")
    export.add_argument("run", type=Path, metavar="RUN.mcap")
    export.add_argument("out", type=Path, metavar="OUT.npz")
    export.set_defaults(perform=_export)


def library() -> "Library":
    """Return the functions that read runs, for the window."""
    from app.runs.source import Library
    from core.errors import CoreError
    from core.link.figure import Figure
    from core.link.hello import Hello
    from core.record.completeness import Completeness
    from core.record.picture import scene_of
    from core.record.run_file import RunFile
    from core.record.summary import Tally

    def figure(hello: Hello) -> Figure:
        from core.report.figure import figure_of
        from core.robot.profile_file import load_profile

        return figure_of(load_profile(hello.robot))

    def person(run: Path, out: Path) -> object:
        from core.record.person import save_person

        return save_person(run, out)

    return Library(RunFile, Tally, Completeness, scene_of, figure, person, CoreError)


def _view(options: Namespace) -> int:
    from app.keeper import dead_display

    reason = dead_display(os.environ)
    if reason:
        return refuse(f"{reason}: the window of a run needs one; footlight log show needs none")
    from app.runs.application import show as show_run
    from app.runs.run import RunError

    os.nice(NICE)
    try:
        return show_run(options.run, options.second, library())
    except RunError as error:
        return refuse(error)


def _report(options: Namespace) -> int:
    out: Path = options.out
    if not out.absolute().parent.is_dir():
        return refuse(f"{out} cannot be written: its folder does not exist")
    os.environ["QT_QPA_PLATFORM"] = "offscreen"  # paper needs no screen
    try:
        from app.runs.application import report
        from app.runs.run import RunError
    except ModuleNotFoundError as error:
        return refuse(f"the report needs {error.name}, which is not installed: make setup does it")
    try:
        problem = report(options.run, out, library())
    except RunError as error:
        return refuse(error)
    except OSError as error:
        return refuse(f"{out} cannot be written: {error.strerror or error}")
    if problem:
        complain(problem)
    return 0


def _export(options: Namespace) -> int:
    from rich.console import Console

    from core.record.errors import RecordError
    from core.record.export import export

    console = Console(stderr=True)
    try:
        with console.status(f"reading {options.run.name}"):
            recording = export(options.run, options.out)
    except RecordError as error:
        return refuse(error)
    if recording.problem:
        complain(recording.problem)
    ticks = sum(len(block) for block in recording.blocks)
    say(Console(), f"{options.out}: {ticks} ticks, {len(recording.event_t)} events")
    return 0


def _person(options: Namespace) -> int:
    from rich.console import Console

    from core.record.errors import RecordError
    from core.record.person import save_person

    console = Console(stderr=True)
    try:
        with console.status(f"reading {options.run.name}"):
            take = save_person(options.run, options.out)
    except RecordError as error:
        return refuse(error)
    say(Console(), f"{options.out}: {take.duration_s:.1f} s at {take.rate_hz:g} Hz")
    return 0


def _show(options: Namespace) -> int:
    from rich.console import Console

    from app.progress import table
    from core.record.errors import RecordError
    from core.record.reader import read
    from core.record.summary import summarise

    console = Console()
    try:
        with Console(stderr=True).status(f"reading {options.run.name}"):
            recording = read(options.run)
            summary = summarise(recording)
    except RecordError as error:
        return refuse(error)
    console.print(table(options.run.name, summary.rows()))
    if recording.problem:
        complain(recording.problem)
    return 0
