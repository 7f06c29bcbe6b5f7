"""`footlight evaluate`: the experiments of the paper on simulated robots."""

import os
import signal
from argparse import Namespace
from pathlib import Path
from typing import Any

from app.commands.options import add_robot
from app.commands.output import complain, refuse
from app.commands.values import bounded, whole


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "evaluate", help="measure the core against the paper, on simulated robots"
    )
    parser.set_defaults(perform=perform)
    add_robot(parser)
    parser.add_argument("experiment", metavar="NAME", help="an experiment, or all")
    parser.add_argument(
        "--seeds",
        type=whole("the number of seeds", 1, 1000),
        metavar="N",
        help="how often each is made, with other noise each time (default 10; 1 with --plants)",
    )
    parser.add_argument(
        "--plants",
        type=whole("the number of plants", 1, 1000),
        metavar="N",
        help="make each with so many robots that are drawn around the model",
    )
    parser.add_argument(
        "--spread",
        type=bounded("the spread of the plants", 0.0, 10.0),
        metavar="S",
        help="how far the plants are from the model (default 1; at 0 they are the model)",
    )
    parser.add_argument(
        "--jobs",
        type=whole("the number of jobs", 1, 256),
        metavar="N",
        help="how many run at a time (default: one a processor)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all that is measured")
    parser.add_argument("--plot", type=Path, metavar="DIR", help="draw figures like the paper's")


def perform(options: Namespace) -> int:
    """Measure the core on simulated robots; the status is 0 only if every bar holds."""
    from app.commands.robot import robot_of
    from core.errors import CoreError
    from core.lab.evaluate import evaluate as run
    from core.lab.jobs import Sampling

    if options.spread is not None and options.plants is None:
        return refuse("--spread is of plants; give their number with --plants")
    seeds = options.seeds or (10 if options.plants is None else 1)
    spread = 1.0 if options.spread is None else options.spread
    sampling = Sampling(seeds, options.plants or 0, spread)
    jobs = options.jobs or len(os.sched_getaffinity(0))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        robot = "" if options.robot is None else robot_of(options)
        return run(options.experiment, sampling, options.json, options.plot, jobs, robot)
    except CoreError as error:
        return refuse(error)
    except KeyboardInterrupt:
        complain("ended by SIGINT")
        return 1
