"""`footlight commission`: actuators fitted to their joints."""

import argparse
from argparse import Namespace
from pathlib import Path
from typing import Any

from app.commands.options import add_lines, whole_path
from app.commands.output import refuse
from app.commands.values import angles, whole


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    commission = commands.add_parser(
        "commission", help="fit actuators to their joints: who answers, id, sign, zero"
    )
    commission.set_defaults(perform=perform)
    actions = commission.add_subparsers(dest="action", required=True, metavar="ACTION")
    scan = actions.add_parser("scan", help="list the actuators on each bus")
    scan.add_argument("names", nargs="*", metavar="LINE", help="default: every line of actuators")
    look = actions.add_parser("look", help="say where joints are, and where they may be")
    look.add_argument("names", nargs="*", metavar="JOINT", help="or a line; default: all")
    number = actions.add_parser("id", help="give the actuator of a joint its id")
    number.add_argument("names", nargs=1, metavar="JOINT")
    number.add_argument(
        "--from",
        dest="old_id",
        type=whole("the id", 0, 252),
        metavar="ID",
        help="at which it answers now (default: it is alone on its line)",
    )
    number.add_argument(
        "--to",
        dest="new_id",
        type=whole("the id", 0, 252),
        metavar="ID",
        help="that it shall have (default: as in the calibration)",
    )
    sign = actions.add_parser("sign", help="take which way a joint turns, with a hand at it")
    sign.add_argument("names", nargs="+", metavar="JOINT", help="or a line, for all on it")
    zero = actions.add_parser("zero", help="take the zeros of joints that stand in their jig")
    zero.add_argument("names", nargs="+", metavar="JOINT", help="or a line, for all on it")
    zero.add_argument(
        "--posture",
        metavar="NAME",
        default="straight",
        help="in which they stand: every joint at 0, or one of the profile's (default %(default)s)",
    )
    zero.add_argument(
        "--at",
        type=angles,
        default={},
        metavar='"JOINT=DEG,…"',
        help="where some of them stand instead [deg]",
    )
    supply = actions.add_parser("supply", help="give the motors their supply, and watch the stops")
    supply.set_defaults(names=[])
    for action in (scan, look, number, sign, zero, supply):
        _unit_options(action)


def _unit_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--body",
        choices=("real", "twin"),
        default="real",
        help="the robot, or a twin of it to learn it with (default %(default)s)",
    )
    parser.add_argument(
        "--unit", metavar="NAME", help="robot unit: begins its calibration if there is none"
    )
    parser.add_argument(
        "--calibration",
        type=Path,
        metavar="FILE",
        help="calibration of this unit (default: by its name, or the only one on this computer)",
    )
    add_lines(parser)


def perform(options: Namespace) -> int:
    """Fit actuators to their joints; the status is 0 only if all is as it should be."""
    from app.commands.robot import robot_of
    from core.errors import CoreError
    from core.service.commission.order import CommissionOrder
    from core.service.commission.process import commission as work

    if options.faults is not None and (options.body != "twin" or options.ports is not None):
        return refuse("--faults is for a twin that is started: --body twin without --ports")
    if options.faults is not None and not options.faults.is_file():
        return refuse(f"there is no file {options.faults}")

    try:
        order = CommissionOrder(
            action=options.action,
            names=tuple(options.names),
            robot=robot_of(options),
            body=options.body,
            ports=whole_path(options.ports),
            faults=whole_path(options.faults),
            calibration=whole_path(options.calibration),
            unit=options.unit,
            old_id=getattr(options, "old_id", None),
            new_id=getattr(options, "new_id", None),
            posture=getattr(options, "posture", "straight"),
            angles=getattr(options, "at", {}),
        )
        order = CommissionOrder.from_json(order.to_json())
        return work(order)
    except CoreError as error:
        return refuse(error)
