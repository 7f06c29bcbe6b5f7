"""`footlight import`: a motion of another program becomes one of this robot."""

import argparse
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.commands.options import add_robot
from app.commands.output import complain, refuse, say
from app.commands.values import bounded, motion_name, words

if TYPE_CHECKING:
    from app.exchange.report import Report

UNITS = ("metre", "centimetre", "millimetre", "inch", "cmu")


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "import",
        help="make a motion of a BVH, CSV or motion file",
        description="Make a motion of this robot of a file: BVH (a person, whom arms and head "
        "follow, or this robot's own skeleton), CSV (one column a joint), or a motion (.json).",
    )
    parser.set_defaults(perform=perform)
    parser.add_argument("file", type=Path, metavar="FILE", help=".bvh, .csv or .json")
    add_robot(parser)
    parser.add_argument(
        "--out", type=Path, metavar="MOTION.json", help="file to write (default: NAME.json here)"
    )
    parser.add_argument(
        "--name", type=motion_name, help="name in snake case (default: that of the file)"
    )
    parser.add_argument("--title", type=words("the title", 200), help="label for operators")
    parser.add_argument("--force", action="store_true", help="replace a file that is there")
    parser.add_argument(
        "--raw",
        action="store_true",
        help="accept what goes beyond the robot's limits, to be edited",
    )
    parser.add_argument("--report", type=Path, metavar="JSON", help="write what was concluded")
    parser.add_argument(
        "--mirror", action="store_true", help="exchange left and right, as in a mirror"
    )
    add_span(parser)
    person = parser.add_argument_group("a person's BVH")
    person.add_argument("--unit", choices=UNITS, help="unit of its lengths (default: guessed)")
    person.add_argument("--up", choices=("y", "z"), help="its upward axis (default: guessed)")


def add_span(parser: argparse.ArgumentParser) -> None:
    """Add the options of a span of time."""
    for option, name, where in (("--from", "start_s", "beginning"), ("--to", "end_s", "end")):
        parser.add_argument(
            option,
            dest=name,
            type=bounded(option, 0.0, 1e5),
            metavar="S",
            help=f"{where} of the part that is used [s] (default: the file's)",
        )


def perform(options: Namespace) -> int:
    """Import a motion; the status is 0 if it was written."""
    from app.commands.robot import profile_of
    from app.exchange.notes import Notes
    from core.errors import CoreError
    from shows.errors import ShowError

    try:
        out = _out(options)
        with Notes(f"reading {options.file.name}") as notes:
            report = _import(options, profile_of(options), out, notes.say)
    except (CoreError, ShowError) as error:
        return refuse(error)
    _print(report)
    if report.fault:
        complain(f"beyond the limits, edit it before it is played: {report.fault}")
    if report.touch:
        complain(f"parts of the robot touch, edit it before it is played: {report.touch}")
    return 0


def _out(options: Namespace) -> Path:
    """Return the file to write.

    Raises:
        ShowError: it cannot be written, or is there already.
    """
    from shows.errors import ShowError
    from shows.motion import motion_name as name_of

    name = options.name or (options.out.stem if options.out else name_of(options.file.stem))
    out: Path = options.out or Path(f"{name}.json")
    if out.suffix != ".json" or out.stem != name or name != name_of(name):
        reason = "a motion's file is its name in snake case and .json"
        raise ShowError(out.name, "", reason, f"give --out {name_of(name)}.json")
    for path in (out, options.report):
        if path is not None and not path.absolute().parent.is_dir():
            raise ShowError(path, "", "its folder does not exist", "make it first")
    if out.exists() and not options.force:
        raise ShowError(out, "", "is there already", "choose another --out, or add --force")
    return out


def _import(options: Namespace, profile: Any, out: Path, tell: Any) -> "Report":
    """Read the file, write the motion and the report, and return the report.

    Raises:
        CoreError: the robot cannot follow a person.
        ShowError: the file is refused, or the disk refused.
    """
    import msgspec

    from app.commands.importing import Importer
    from shows.errors import ShowError
    from shows.files import commit, discard, stage
    from shows.motion import check_motion, encode_motion

    importer = Importer(profile, out.stem, options.title or "", tell)
    found = importer.read(
        options.file,
        unit=options.unit,
        up=options.up,
        mirror=options.mirror,
        span_s=(options.start_s, options.end_s),
    )
    fault = ""
    try:
        check_motion(found.motion, importer.joints, options.file.name)
    except ShowError as error:
        if not options.raw:
            reason, advice = error.reason, f"{error.advice}, or add --raw and edit it"
            raise ShowError(error.file, error.place, reason, advice) from error
        fault = str(error)
    touch = importer.touch(found.motion)
    report = found.report(options.file.name, out.absolute(), fault, touch)
    staged = [stage(out, encode_motion(found.motion))]
    if options.report is not None:
        try:
            data = msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n"
            staged.append(stage(options.report, data))
        except ShowError:
            discard(staged)
            raise
    commit(staged)
    return report


def _print(report: "Report") -> None:
    from rich.console import Console

    from app.progress import cells_table, table

    console = Console()
    console.print(table(f"{report.file}, read for {report.robot}", report.rows()))
    if report.limbs:
        heads = ("limb", "direction: mean, 90 %", "direction: mean, 90 %", "hand: mean, 90 %")
        rows = [limb.cells() for limb in report.limbs]
        console.print(cells_table("How well the robot follows", heads, rows))
    say(console, f"{report.motion}: {report.title or report.name}")
