"""`footlight puppeteer`: a take plays the part of a person whose motion is captured."""

from argparse import ArgumentTypeError, Namespace
from pathlib import Path
from typing import Any

from app.commands.output import refuse
from app.commands.values import bounded, whole

SOURCES = ("vmc", "mvn", "natnet", "recording")


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "puppeteer",
        help="play a take as live motion capture",
        description="Play a person's BVH take over UDP as a motion capture system sends it, or a "
        "recording of one, for rehearsals without a performer.",
    )
    parser.set_defaults(perform=perform)
    parser.add_argument("file", type=Path, metavar="FILE", help=".bvh of a person, or a recording")
    parser.add_argument(
        "--as",
        dest="source",
        choices=SOURCES,
        required=True,
        help="VMC protocol, Xsens MVN, OptiTrack NatNet, or a recording as it is",
    )
    parser.add_argument(
        "--to",
        type=address,
        required=True,
        metavar="HOST:PORT",
        help="who receives it; usual ports are 39539 (VMC), 9763 (MVN) and 1511 (NatNet)",
    )
    percents = (("--loss", "lost"), ("--reorder", "overtaken by others"))
    for option, what in percents:
        parser.add_argument(
            option,
            type=bounded(option, 0.0, 100.0),
            default=0.0,
            metavar="PERCENT",
            help=f"share of the datagrams that are {what} (default 0)",
        )
    parser.add_argument(
        "--jitter",
        type=bounded("--jitter", 0.0, 10_000.0),
        default=0.0,
        metavar="MS",
        help="longest delay of a datagram (default 0)",
    )
    parser.add_argument(
        "--seed",
        type=whole("the seed", 0, 2**53),
        default=0,
        metavar="N",
        help="seed of loss, jitter and order (default 0)",
    )
    parser.add_argument(
        "--rate",
        type=bounded("--rate", 1.0, 240.0),
        default=60.0,
        metavar="HZ",
        help="frames a second of a take (default 60)",
    )
    parser.add_argument(
        "--loop",
        type=whole("--loop", 1, 100_000),
        default=1,
        metavar="N",
        help="how often it is played (default 1)",
    )
    parser.add_argument(
        "--t-pose",
        type=bounded("--t-pose", 0.0, 60.0),
        default=0.0,
        metavar="S",
        help="first stand in the T-pose of the calibration (default 0)",
    )


def address(text: str) -> tuple[str, int]:
    """Return host and port of HOST:PORT.

    Raises:
        ArgumentTypeError: it is not of that form.
    """
    host, _, port = text.rpartition(":")
    if not host or len(host) > 253 or not host.isprintable() or " " in host:
        raise ArgumentTypeError(f"{text[:40]!r} is not HOST:PORT, as in 127.0.0.1:39539")
    return host, whole("the port", 1, 65535)(port)


def perform(options: Namespace) -> int:
    """Play a take; the status is 0 if all of it was sent."""
    from core.errors import CoreError
    from core.service.puppeteer.order import PuppeteerOrder
    from core.service.puppeteer.process import puppeteer

    if options.source == "recording" and options.t_pose:
        return refuse("--t-pose is for a take; a recording is played as it is")
    host, port = options.to
    try:
        order = PuppeteerOrder(
            file=str(options.file.absolute()),
            source=options.source,
            host=host,
            port=port,
            loss=options.loss / 100.0,
            jitter_s=options.jitter / 1000.0,
            reorder=options.reorder / 100.0,
            seed=options.seed,
            rate_hz=options.rate,
            loops=options.loop,
            t_pose_s=options.t_pose,
        )
        return puppeteer(PuppeteerOrder.from_json(order.to_json()))
    except CoreError as error:
        return refuse(error)
