"""`footlight commission`: fit actuators to their joints."""

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
        "commission", help="fit actuators to their joints: scan, id, sign, zero"
    )
    commission.set_defaults(perform=perform)
    actions = commission.add_subparsers(dest="action", required=True, metavar="ACTION")
    scan = actions.add_parser("scan", help="list the actuators on each bus")
    scan.add_argument("names", nargs="*", metavar="LINE", help="default: every line of actuators")
    look = actions.add_parser("look", help="list the positions and the limits of joints")
    look.add_argument("names", nargs="*", metavar="JOINT", help="or a line; default: all")
    number = actions.add_parser("id", help="set the id of a joint's actuator")
    number.add_argument("names", nargs=1, metavar="JOINT")
    number.add_argument(
        "--from",
        dest="old_id",
        type=whole("the id", 0, 252),
        metavar="ID",
        help="present id (default: it is alone on its line)",
    )
    number.add_argument(
        "--to",
        dest="new_id",
        type=whole("the id", 0, 252),
        metavar="ID",
        help="new id (default: from the calibration)",
    )
    sign = actions.add_parser("sign", help="measure the sign of a joint that is moved by hand")
    sign.add_argument("names", nargs="+", metavar="JOINT", help="or a line, for all on it")
    zero = actions.add_parser("zero", help="measure the zeros of joints in their jig")
    zero.add_argument("names", nargs="+", metavar="JOINT", help="or a line, for all on it")
    zero.add_argument(
        "--posture",
        metavar="NAME",
        default="straight",
        help="posture of the joints: straight (all at 0) or a posture of the robot's profile "
        "(default %(default)s)",
    )
    zero.add_argument(
        "--at",
        type=angles,
        default={},
        metavar='"JOINT=DEG,…"',
        help="angles of single joints that differ from the posture [deg]",
    )
    supply = actions.add_parser("supply", help="switch on the motors' supply, and watch the stops")
    supply.set_defaults(names=[])
    for action in (scan, look, number, sign, zero, supply):
        _unit_options(action)


def _unit_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--body",
        choices=("real", "twin"),
        default="real",
        help="the robot, or a twin of it for practice (default %(default)s)",
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
    """Fit actuators to their joints; the status is 0 only without a fault."""
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
