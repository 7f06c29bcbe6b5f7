"""The command line of `footlight`: what it accepts, and one sentence for what it does not."""

import argparse
import math
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

DEFAULT_PORT = 7447  # where `footlight core` listens and `footlight console` looks
_ENDPOINT = re.compile(r"\A(tcp/127\.0\.0\.1:\d{1,5}|unixsock-stream/.{1,100})\Z", re.ASCII)
_NAME = re.compile(r"\A[a-z0-9_]{1,64}\Z")
_WALK_LIMITS = {
    "vx": (-2.0, 2.0),
    "vy": (-2.0, 2.0),
    "yaw": (-3.0, 3.0),
    "dur": (0.001, 86400.0),
    "step": (0.0, 1.0),
}
_PUSH_LIMITS = {
    "t": (0.0, 86400.0),
    "dur": (0.001, 10.0),
    "fx": (-2000.0, 2000.0),
    "fy": (-2000.0, 2000.0),
    "fz": (-2000.0, 2000.0),
}


class Parser(argparse.ArgumentParser):
    """Refuses with one line and exit status 2."""

    def error(self, message: str) -> NoReturn:
        """Print what is wrong and leave."""
        print(f"{self.prog}: {message} (see {self.prog} --help)", file=sys.stderr)
        raise SystemExit(2)


def number(text: str, what: str, low: float, high: float) -> float:
    """Return a finite number within bounds.

    Raises:
        argparse.ArgumentTypeError: it is no number, not finite or out of bounds.
    """
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{what} is {text!r}, which is no number") from None
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{what} is {text!r}, which is not finite")
    if not low <= value <= high:
        raise argparse.ArgumentTypeError(
            f"{what} is {value:g}, which is outside {low:g} to {high:g}"
        )
    return value


def bounded(what: str, low: float, high: float) -> Callable[[str], float]:
    """Return a parser of a finite number within bounds."""

    def parse(text: str) -> float:
        return number(text, what, low, high)

    return parse


def whole(what: str, low: int, high: int) -> Callable[[str], int]:
    """Return a parser of a whole number within bounds."""

    def parse(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,18}", text, re.ASCII) or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(
                f"{what} is {text!r}, which is no whole number from {low} to {high}"
            )
        return int(text)

    return parse


def _pairs(text: str, limits: dict[str, tuple[float, float]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for part in text.split(","):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or key not in limits:
            keys = ", ".join(limits)
            raise argparse.ArgumentTypeError(f"{part!r} is not KEY=NUMBER with a KEY of {keys}")
        if key in found:
            raise argparse.ArgumentTypeError(f"{key} is given twice")
        found[key] = number(value, key, *limits[key])
    return found


def walk(text: str) -> dict[str, float | bool]:
    """Return vx, vy [m/s], yaw [rad/s], dur [s] and step of `vx=…,vy=…,yaw=…,dur=…`.

    Raises:
        argparse.ArgumentTypeError: it is not of that form.
    """
    found = _pairs(text, _WALK_LIMITS)
    order: dict[str, float | bool] = {"vx": 0.0, "vy": 0.0, "yaw": 0.0, "dur": 10.0}
    order.update(found)
    if found.get("step", 0.0) not in (0.0, 1.0):
        raise argparse.ArgumentTypeError("step is either 0 or 1")
    order["step"] = found.get("step", 0.0) == 1.0
    return order


def push(text: str) -> dict[str, float]:
    """Return t, dur [s], fx, fy, fz [N] of `t=…,dur=…,fx=…,fy=…,fz=…`.

    Raises:
        argparse.ArgumentTypeError: it is not of that form, or pushes with nothing.
    """
    found = _pairs(text, _PUSH_LIMITS)
    for key in ("t", "dur"):
        if key not in found:
            raise argparse.ArgumentTypeError(f"a push needs {key}=…")
    order = {"fx": 0.0, "fy": 0.0, "fz": 0.0, **found}
    if not any(order[axis] for axis in ("fx", "fy", "fz")):
        raise argparse.ArgumentTypeError("a push needs a force: fx=…, fy=… or fz=…")
    return order


def gestures(text: str) -> tuple[str, ...]:
    """Return the names of `NAME,NAME,…`.

    Raises:
        argparse.ArgumentTypeError: a name is not in snake case.
    """
    names = tuple(name.strip() for name in text.split(","))
    for name in names:
        if not _NAME.match(name):
            raise argparse.ArgumentTypeError(f"{name!r} is no gesture's name, as in thumbs_up")
    return names


def angles(text: str) -> dict[str, float]:
    """Return the angles [deg] of `JOINT=DEG,JOINT=DEG,…`.

    Raises:
        argparse.ArgumentTypeError: it is not of that form.
    """
    found: dict[str, float] = {}
    for part in text.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not _NAME.match(name):
            raise argparse.ArgumentTypeError(f"{part!r} is not JOINT=DEG, as in left_knee=-90")
        if name in found:
            raise argparse.ArgumentTypeError(f"{name} is given twice")
        found[name] = number(value, name, -360.0, 360.0)
    return found


def sound(text: str) -> str:
    """Return the name of a sound device.

    Raises:
        argparse.ArgumentTypeError: it is empty or too long to be one.
    """
    name = text.strip()
    if not 0 < len(name) <= 200 or not name.isprintable():
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is no sound device's name")
    return name


def endpoint(text: str) -> str:
    """Return the address of a core on this machine.

    Raises:
        argparse.ArgumentTypeError: it is none, or of another machine.
    """
    if not _ENDPOINT.match(text):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no address on this machine, as in tcp/127.0.0.1:{DEFAULT_PORT}"
        )
    return text


def build_parser() -> Parser:
    """Return the parser of the whole command."""
    parser = Parser(prog="footlight", description="Show control for a humanoid performer.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    rehearse = commands.add_parser("rehearse", help="run a show, or walk, on a simulated robot")
    rehearse.add_argument("show", nargs="?", type=Path, help="folder or zip (default: Meet Cosmo)")
    rehearse.add_argument(
        "--walk",
        type=walk,
        action="append",
        default=[],
        metavar='"vx=…,vy=…,yaw=…,dur=…"',
        help="walk instead of a show [m/s, rad/s, s]; all zero stands, step=1 steps in place; "
        "may be repeated",
    )
    rehearse.add_argument(
        "--gestures",
        type=gestures,
        default=(),
        metavar="NAME,NAME,…",
        help="gestures to play, one after the other, while walking",
    )
    rehearse.add_argument("--headless", action="store_true", help="no console")
    _run_options(rehearse)
    _body_options(rehearse)

    console = commands.add_parser("console", help="open the operator's console on a core")
    console.add_argument("show", nargs="?", type=Path, help="folder or zip to open")
    console.add_argument(
        "--connect",
        type=endpoint,
        default=f"tcp/127.0.0.1:{DEFAULT_PORT}",
        metavar="ENDPOINT",
        help="where the core listens, on this machine (default: %(default)s)",
    )

    handset = commands.add_parser("handset", help="open the handset of a twin that runs")
    handset.add_argument(
        "--ports",
        type=Path,
        metavar="FOLDER",
        help="where the twin puts its serial lines (default: the only twin that runs)",
    )

    core = commands.add_parser("core", help="run the control core until it is ended")
    core.add_argument(
        "--port",
        type=whole("the port", 1024, 65535),
        help=f"where it listens, on this machine only (default: {DEFAULT_PORT}, or any that is "
        "free if something else listens there)",
    )
    _run_options(core)
    _body_options(core, pushes=False)

    preflight = commands.add_parser("preflight", help="check a show without playing it")
    preflight.add_argument("show", type=Path, help="folder or zip")

    _evaluate_options(commands)
    _bench_options(commands)

    _doctor_options(commands)
    _commission_options(commands)

    log = commands.add_parser("log", help="read the record of a run")
    actions = log.add_subparsers(dest="action", required=True, metavar="ACTION")
    show = actions.add_parser("show", help="print a run at a glance")
    show.add_argument("run", type=Path, metavar="RUN.mcap")
    export = actions.add_parser("export", help="write a run as arrays")
    export.add_argument("run", type=Path, metavar="RUN.mcap")
    export.add_argument("out", type=Path, metavar="OUT.npz")
    return parser


def _evaluate_options(commands: Any) -> None:
    evaluate = commands.add_parser(
        "evaluate", help="measure the core against the paper, on simulated robots"
    )
    evaluate.add_argument("experiment", metavar="NAME", help="an experiment, or all")
    evaluate.add_argument(
        "--seeds",
        type=whole("the number of seeds", 1, 1000),
        default=10,
        metavar="N",
        help="how often each is made, with other noise each time (default 10)",
    )
    evaluate.add_argument(
        "--jobs",
        type=whole("the number of jobs", 1, 256),
        metavar="N",
        help="how many run at a time (default: one a processor)",
    )
    evaluate.add_argument("--json", type=Path, metavar="FILE", help="write all that is measured")
    evaluate.add_argument("--plot", type=Path, metavar="DIR", help="draw figures like the paper's")


def _bench_options(commands: Any) -> None:
    bench = commands.add_parser("bench", help="measure time and memory of the core on this machine")
    bench.add_argument(
        "part",
        nargs="?",
        default="all",
        metavar="PART",
        help="tick, solvers, lateness, memory, or all (default)",
    )
    bench.add_argument(
        "--seconds",
        type=bounded("the length", 1.0, 3600.0),
        default=60.0,
        metavar="S",
        help="of each timed run [s] (default 60)",
    )
    bench.add_argument(
        "--minutes",
        type=bounded("the time to count over", 0.0, 1440.0),
        default=10.0,
        metavar="M",
        help="of simulated time over which unsolved QPs are counted [min] (default 10)",
    )
    bench.add_argument(
        "--hours",
        type=bounded("the time to watch memory", 0.005, 24.0),
        default=1.0,
        metavar="H",
        help="of simulated time over which memory is watched [h] (default 1)",
    )
    bench.add_argument(
        "--seed",
        type=whole("the seed", 0, 2**53),
        default=0,
        metavar="N",
        help="seed of the simulated noise (default 0)",
    )
    bench.add_argument(
        "--log",
        type=Path,
        metavar="RUN.mcap",
        help="the scribe writes the hour's record meanwhile, and is watched as well",
    )
    bench.add_argument(
        "--console",
        action="store_true",
        help="measure the console instead: how soon it hears, GO and STOP to the body",
    )
    bench.add_argument(
        "--presses",
        type=whole("the number of presses", 1, 100_000),
        default=500,
        metavar="N",
        help="with --console: of GO, and of STOP (default 500)",
    )
    bench.add_argument("--json", type=Path, metavar="FILE", help="write all that is measured")


def _doctor_options(commands: Any) -> None:
    doctor = commands.add_parser("doctor", help="say what is wrong before a show, and what to do")
    doctor.add_argument(
        "--body",
        choices=("real", "twin", "sim"),
        default="real",
        help="look at the robot too, at a twin of it, or only at what a rehearsal needs "
        "(default %(default)s)",
    )
    doctor.add_argument(
        "--robot", default="kid_cosmo", metavar="NAME", help="which (default %(default)s)"
    )
    doctor.add_argument(
        "--ports",
        type=Path,
        metavar="FOLDER",
        help="where its serial lines are (default: /dev/footlight; a twin's own)",
    )
    doctor.add_argument(
        "--faults",
        type=Path,
        metavar="FILE",
        help="fault script of the twin: a time [s] and an order on each line",
    )
    doctor.add_argument(
        "--calibration",
        type=Path,
        metavar="FILE",
        help="calibration of this robot unit (default: the only one on this computer)",
    )
    doctor.add_argument(
        "--records",
        type=Path,
        default=Path("."),
        metavar="FOLDER",
        help="where records will be written (default: here)",
    )
    doctor.add_argument(
        "--sound", metavar="NAME", help="output that the voice shall use (default: the system's)"
    )
    doctor.add_argument("--json", type=Path, metavar="FILE", help="write all that is found")


def _commission_options(commands: Any) -> None:
    commission = commands.add_parser(
        "commission", help="fit actuators to their joints: who answers, id, sign, zero"
    )
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
        choices=("straight", "rest", "crouch", "seat"),
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
        "--robot", default="kid_cosmo", metavar="NAME", help="which model (default %(default)s)"
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
    parser.add_argument(
        "--ports",
        type=Path,
        metavar="FOLDER",
        help="where its serial lines are (default: /dev/footlight; a twin's own)",
    )
    parser.add_argument(
        "--faults",
        type=Path,
        metavar="FILE",
        help="fault script of the twin: a time [s] and an order on each line",
    )


def _run_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--pace", choices=("real", "max"), default="real", help="hold real time, or do not"
    )
    parser.add_argument(
        "--seed",
        type=whole("the seed", 0, 2**53),
        default=0,
        metavar="N",
        help="seed of the simulated noise (default 0)",
    )
    parser.add_argument("--log", type=Path, metavar="RUN.mcap", help="write the record of the run")
    parser.add_argument(
        "--sound",
        type=sound,
        metavar="DEVICE",
        help="name of the sound device, or a part of it (default: the system's usual one)",
    )


def _body_options(parser: argparse.ArgumentParser, pushes: bool = True) -> None:
    group: Any = parser.add_argument_group("body")
    bodies = ("sim", "twin") if pushes else ("sim", "twin", "real")
    group.add_argument(
        "--body",
        choices=bodies,
        default="sim",
        help="what stands below the core: a simulation; a twin, which speaks every device's bytes "
        "on serial lines; the robot (default %(default)s)"
        if not pushes
        else "what stands below the core: a simulation, or a twin, which speaks every device's "
        "bytes on serial lines (default %(default)s)",
    )
    group.add_argument(
        "--ports",
        type=Path,
        metavar="FOLDER",
        help="where the serial lines are, or where a twin shall put its own",
    )
    if not pushes:
        group.add_argument(
            "--calibration",
            type=Path,
            metavar="FILE",
            help="calibration of the real robot unit (default: the only one on this computer)",
        )
    group.add_argument(
        "--faults",
        type=Path,
        metavar="FILE",
        help="fault script of the twin: a time [s] and an order on each line",
    )
    group.add_argument(
        "--support",
        choices=("seated", "gantry", "floor"),
        default="floor",
        help="what carries the robot besides its feet (default floor)",
    )
    if pushes:
        group.add_argument(
            "--push",
            type=push,
            action="append",
            default=[],
            metavar='"t=…,dur=…,fx=…,fy=…,fz=…"',
            help="push the torso, world frame [s, N]; may be repeated",
        )
    group.add_argument(
        "--slope",
        type=bounded("the slope", -15.0, 15.0),
        default=0.0,
        metavar="DEG",
        help="slope of the ground, uphill positive",
    )
    group.add_argument(
        "--friction",
        type=bounded("the friction", 0.01, 3.0),
        metavar="MU",
        help="coefficient of friction of the ground",
    )
    group.add_argument(
        "--payload",
        type=bounded("the payload", 0.0, 5.0),
        default=0.0,
        metavar="KG",
        help="mass in the right hand",
    )
    group.add_argument(
        "--stepping",
        choices=("on", "off"),
        default="on",
        help="whether balance may take a step (default on)",
    )
