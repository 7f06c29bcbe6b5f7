"""`footlight doctor`: the check of computer and robot before a show."""

import json
import os
from argparse import Namespace
from pathlib import Path
from typing import Any

from app.commands.options import add_lines, whole_path
from app.commands.output import refuse, say


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("doctor", help="say what is wrong before a show, and what to do")
    parser.set_defaults(perform=perform)
    parser.add_argument(
        "--body",
        choices=("real", "twin", "sim"),
        default="real",
        help="look at the robot too, at a twin of it, or only at what a rehearsal needs "
        "(default %(default)s)",
    )
    add_lines(parser)
    parser.add_argument(
        "--calibration",
        type=Path,
        metavar="FILE",
        help="calibration of this robot unit (default: the only one on this computer)",
    )
    parser.add_argument(
        "--records",
        type=Path,
        default=Path("."),
        metavar="FOLDER",
        help="where records will be written (default: here)",
    )
    parser.add_argument(
        "--sound", metavar="NAME", help="output that the voice shall use (default: the system's)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all that is found")


def perform(options: Namespace) -> int:
    """Report faults before a show; the status is 0 only if there are none."""
    from rich.console import Console

    from app.commands.robot import robot_of
    from app.keeper import dead_display
    from app.progress import findings_table
    from core.errors import CoreError
    from core.service.doctor.finding import Finding, State, nothing_wrong, summary
    from core.service.doctor.order import DoctorOrder
    from core.service.doctor.process import ask_doctor

    if options.json is not None and not options.json.absolute().parent.is_dir():
        return refuse(f"{options.json} cannot be written: its folder does not exist")
    if options.faults is not None and (options.body != "twin" or options.ports is not None):
        return refuse("--faults is for a twin that the doctor starts: --body twin without --ports")
    if options.faults is not None and not options.faults.is_file():
        return refuse(f"there is no file {options.faults}")
    if options.calibration is not None and options.body != "real":
        return refuse("--calibration is of a real robot; leave it out")

    try:
        order = DoctorOrder(
            robot=robot_of(options),
            body=options.body,
            ports=whole_path(options.ports),
            faults=whole_path(options.faults),
            calibration=whole_path(options.calibration),
            records=str(options.records.absolute()),
            sound=options.sound,
        )
        order = DoctorOrder.from_json(order.to_json())
        with Console(stderr=True).status("looking at the computer and the robot"):
            findings = ask_doctor(order)
            if options.body != "real":
                reason = dead_display(os.environ)
                found = Finding("display", State.NOTE, reason, "rehearse with --headless")
                opens = Finding("display", State.WELL, "a window can be opened")
                findings.append(found if reason else opens)
    except CoreError as error:
        return refuse(error)
    rows = [(one.what, str(one.state), one.found, one.todo) for one in findings]
    console = Console()
    console.print(findings_table(rows))
    say(console, summary(findings))
    well = nothing_wrong(findings)
    if options.json is not None:
        keys = ("what", "state", "found", "todo")
        told = [dict(zip(keys, row, strict=True)) for row in rows]
        report = {"schema": 1, "nothing_wrong": well, "findings": told}
        options.json.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n")
    return 0 if well else 1
