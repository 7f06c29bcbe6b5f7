"""`footlight bench`: time and memory of the core on this machine."""

import json
import os
import signal
import threading
from argparse import Namespace
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.commands.options import add_robot
from app.commands.output import COMMAND, complain, refuse
from app.commands.values import bounded, whole

if TYPE_CHECKING:
    from app.commands.understudy import Understudy
    from core.link.client import Client
    from core.run.launch import LaunchConfig

DUEL, LOOK_S = "duel", 0.1  # the show with a person, and how often the person is looked after
PERSON_AGE_MS, PERSON_RATE = 100.0, 15.0  # at most, 99 of 100; frames a second at least
PLOTS_SHARE, PLOTS_RATE = 0.30, 19.0  # of a core at most, and frames a second at least
RUN_S = 1800.0  # length of the run that the window opens


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("bench", help="measure the core's time and memory on this machine")
    parser.set_defaults(perform=perform)
    add_robot(parser)
    parser.add_argument(
        "part",
        nargs="?",
        default="all",
        metavar="PART",
        help="tick, solvers, devices, lateness, memory, takes, robots, strides, follow, or all "
        "(default)",
    )
    parser.add_argument(
        "--seconds",
        type=bounded("the length", 1.0, 3600.0),
        default=60.0,
        metavar="S",
        help="of each timed run [s] (default 60)",
    )
    parser.add_argument(
        "--minutes",
        type=bounded("the time to count over", 0.0, 1440.0),
        default=10.0,
        metavar="M",
        help="of simulated time over which unsolved QPs are counted [min] (default 10)",
    )
    parser.add_argument(
        "--hours",
        type=bounded("the time to watch memory", 0.005, 24.0),
        default=1.0,
        metavar="H",
        help="of simulated time over which memory is watched [h] (default 1)",
    )
    parser.add_argument(
        "--seed",
        type=whole("the seed", 0, 2**53),
        default=0,
        metavar="N",
        help="seed of the simulated noise (default 0)",
    )
    parser.add_argument(
        "--log",
        type=Path,
        metavar="RUN.mcap",
        help="the scribe writes the hour's record meanwhile, and is watched as well",
    )
    parser.add_argument(
        "--console",
        action="store_true",
        help="measure the console instead: how soon it hears, GO and STOP to the body",
    )
    parser.add_argument(
        "--presses",
        type=whole("the number of presses", 1, 100_000),
        default=500,
        metavar="N",
        help="with --console: of GO, and of STOP; with --phrases: of each control (default 500)",
    )
    parser.add_argument(
        "--phrases",
        action="store_true",
        help="measure phrases instead: from handset, key, cart and controller to the sound",
    )
    parser.add_argument(
        "--loaded",
        action="store_true",
        help="with --console: beside two programs at the lowest priority that never rest",
    )
    parser.add_argument(
        "--timeline",
        action="store_true",
        help="measure the timeline instead: time of each frame while a cue of 500 clips is edited",
    )
    parser.add_argument(
        "--plots",
        action="store_true",
        help="measure telemetry instead: processor time of twelve live plots of 30 s",
    )
    parser.add_argument(
        "--runs",
        action="store_true",
        help="measure the window of recorded runs instead, with a run of 30 minutes",
    )
    parser.add_argument(
        "--partner",
        action="store_true",
        help="measure the picture of a live partner instead: its rate, and the age of the person",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all that is measured")


def perform(options: Namespace) -> int:
    """Measure the core on this machine; the status is 0 only if every bar holds."""
    from app.commands.robot import robot_of
    from core.errors import CoreError

    try:
        robot = robot_of(options)
    except CoreError as error:
        return refuse(error)
    if options.console:
        return _bench_console(options, robot)
    if options.phrases:
        return _bench_phrases(options, robot)
    if options.timeline:
        return _bench_timeline(options, robot)
    if options.plots:
        return _bench_plots(options, robot)
    if options.runs:
        return _bench_runs(options, robot)
    if options.partner:
        return _bench_partner(options, robot)
    # One thread, as the loop's process has it; before NumPy is loaded.
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    from core.lab.bench.benchmark import Order
    from core.lab.bench.run import bench as run

    log = None if options.log is None else str(options.log.resolve())
    order = Order(options.seconds, options.minutes, options.hours, options.seed, log)
    try:
        return run(options.part, order, options.json, robot)
    except CoreError as error:
        return refuse(error)


def _bench_console(options: Namespace, robot: str) -> int:
    from rich.console import Console

    from app.commands.watch import connect
    from app.keeper import console_command, dead_display
    from app.progress import table
    from core.errors import CoreError
    from core.link.errors import LinkError
    from core.link.session import free_endpoint
    from core.run.launch import LaunchConfig
    from core.run.processes import Supervisor

    if options.part != "all":
        return refuse("--console measures the console: leave out PART")
    if options.json is not None and not options.json.absolute().parent.is_dir():
        return refuse(f"{options.json} cannot be written: its folder does not exist")
    reason = dead_display(os.environ)
    if reason:
        return refuse(f"{reason}: the bench of the console needs one")
    from app.console.bench.bench import Bench, ConsoleBenchError
    from app.console.bench.probe import ProbeOrder

    asked: list[int] = []
    handlers = {
        number: signal.signal(number, lambda n, _: asked.append(n))
        for number in (signal.SIGTERM, signal.SIGINT)
    }
    console = Console()
    try:
        config = LaunchConfig(
            endpoint=free_endpoint(),
            robot=robot,
            seed=options.seed,
            autopilot=False,
            headless=True,
            siblings=(COMMAND,),
        )
        order = ProbeOrder(options.seconds, options.presses)
        with Console(stderr=True).status("the core starts") as status, Supervisor(config) as core:
            client = connect(core, config, asked, operator=True)
            if client is None:
                raise ConsoleBenchError(core.ended() or "it was interrupted")
            with client:
                found = Bench(
                    client,
                    lambda show: console_command(robot, config.endpoint, show),
                    order,
                    status.update,
                    lambda: bool(asked) or core.ended() is not None,
                    options.loaded,
                ).run()
    except (ConsoleBenchError, CoreError, LinkError, OSError) as error:
        complain(f"the bench of the console ended early: {error}")
        return 1
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    words = {True: "pass", False: "FAIL", None: ""}
    rows = [(what, f"{value}   {bar}   {words[held]}") for what, value, bar, held in found.rows]
    console.print(table("console: median / p99 / max", rows))
    _keep(options, found.report)
    return 0 if found.holds else 1


def _bench_phrases(options: Namespace, robot: str) -> int:
    import tempfile

    from msgspec.structs import replace
    from rich.console import Console

    from app.keeper import console_command, dead_display
    from app.progress import table
    from core.errors import CoreError
    from core.link.errors import LinkError
    from core.link.session import free_endpoint
    from core.run.launch import LaunchConfig
    from core.run.processes import TWIN, Supervisor
    from core.run.realtime import PRIORITY

    reason = dead_display(os.environ)
    if reason:
        return refuse(f"{reason}: the bench of phrases needs one")
    from app.console.bench.bench import ConsoleBenchError
    from app.console.bench.phrases import (
        DEVICE,
        PhraseBench,
        found_of,
        keep_in_time,
        studio,
        write_layout,
    )
    from app.console.bench.sound_server import why_not

    lacking = why_not()
    if lacking is not None:
        return refuse(lacking)
    config = LaunchConfig(
        endpoint=free_endpoint(), robot=robot, autopilot=False, headless=True, sound=DEVICE
    )
    try:
        with tempfile.TemporaryDirectory(prefix="footlight-bench-") as folder:
            with studio(Path(folder)) as environment:
                told = Console(stderr=True).status("the core starts")
                with told, Supervisor(config) as core:
                    bench = PhraseBench(config.endpoint, robot, environment, options.presses)
                    by_console = bench.by_console(
                        Path(folder), lambda show: console_command(robot, config.endpoint, show)
                    )
                write_layout(robot)
                twin = replace(config, body=TWIN, endpoint=free_endpoint())
                with told, Supervisor(twin) as core:
                    keep_in_time(core.pids()[TWIN], PRIORITY)
                    bench = PhraseBench(twin.endpoint, robot, environment, options.presses)
                    by_handset = bench.by_handset(Path(folder), Path(core.config.ports or ""))
    except (ConsoleBenchError, CoreError, LinkError, OSError) as error:
        complain(f"the bench of phrases ended early: {error}")
        return 1
    rows, report, holds = found_of({**by_handset, **by_console}, options.presses)
    rows.append(("pace of the twin", f"{bench.twin_pace:.0%} of real time"))
    Console().print(table("press to the sound: median / p99 / max [ms]", rows))
    _keep(options, {**report, "twin_pace": bench.twin_pace})
    return 0 if holds else 1


def _bench_timeline(options: Namespace, robot: str) -> int:
    from rich.console import Console

    from app.console.bench.frames import BAR_MS, rows_of
    from app.progress import table

    found = _measured("long_show", "timeline", _alone(robot))
    if isinstance(found, int):
        return found
    Console().print(table("frame: median / p99 / max [ms]", rows_of(found)))
    _keep(options, found)
    return 0 if all(spread["max"] <= BAR_MS for spread in found["frames"].values()) else 1


def _bench_plots(options: Namespace, robot: str) -> int:
    from rich.console import Console

    from app.progress import table

    found = _measured("twelve_plots", "telemetry", _alone(robot))
    if isinstance(found, int):
        return found
    share, rate = found["share"], found["frames_per_s"]
    holds = share <= PLOTS_SHARE and rate >= PLOTS_RATE
    words = f"{share:.1%} of a core at {rate:.1f} frames/s"
    bar = f"<= {PLOTS_SHARE:.0%} at {PLOTS_RATE:g}   {'pass' if holds else 'FAIL'}"
    name = f"{found['plots']} plots, {found['lines']} lines, 30 s"
    Console().print(table("telemetry: thread of the windows", [(name, f"{words}   {bar}")]))
    _keep(options, found)
    return 0 if holds else 1


def _bench_partner(options: Namespace, robot: str) -> int:
    from rich.console import Console

    from app.commands.understudy import Understudy
    from app.progress import table
    from core.link.session import free_endpoint
    from core.run.launch import LaunchConfig
    from shows.folders import LIBRARY
    from shows.live import performer_of

    show = LIBRARY / DUEL
    take = performer_of(show)
    if take is None:
        return refuse(f"{show} has no performer")
    person = Understudy(take)
    config = LaunchConfig(
        endpoint=free_endpoint(), robot=robot, headless=True, show=str(show), source=person.source
    )
    found = _measured("duel_picture", "partner", config, person)
    if isinstance(found, int):
        return found
    rate, age_ms = found["frames_per_s"], found["age_ms"]
    holds = age_ms["p99"] <= PERSON_AGE_MS and rate >= PERSON_RATE
    ages = " / ".join(f"{age_ms[name]:.0f}" for name in ("median", "p99", "max"))
    words = f"{ages} ms at {rate:.1f} frames/s"
    bar = f"p99 <= {PERSON_AGE_MS:g} at {PERSON_RATE:g}   {'pass' if holds else 'FAIL'}"
    Console().print(
        table("age of the person: median / p99 / max", [("picture", f"{words}   {bar}")])
    )
    _keep(options, found)
    return 0 if holds else 1


def _alone(robot: str) -> "LaunchConfig":
    """Return the configuration of a simulated robot that waits for an operator."""
    from core.link.session import free_endpoint
    from core.run.launch import LaunchConfig

    return LaunchConfig(endpoint=free_endpoint(), robot=robot, autopilot=False, headless=True)


def _measured(
    module: str, what: str, config: "LaunchConfig", person: "Understudy | None" = None
) -> dict[str, Any] | int:
    """Return the figures of a window beside a simulated robot, or the exit status of a failure."""
    from app.commands.watch import connect
    from app.console.bench.frames import measure
    from app.keeper import dead_display
    from core.errors import CoreError
    from core.link.errors import LinkError
    from core.run.processes import Supervisor

    reason = dead_display(os.environ)
    if reason:
        return refuse(f"{reason}: the bench of the {what} needs one")
    ended = threading.Event()
    try:
        with Supervisor(config) as core, ExitStack() as stack:
            if person is not None:
                client = connect(core, config, [])
                if client is None:
                    raise ValueError(core.ended() or "the core did not answer")
                stack.enter_context(client)
                player = threading.Thread(target=_play, args=(person, client, ended))
                stack.callback(player.join)
                stack.callback(ended.set)
                player.start()
            return measure(module, config.endpoint, config.robot)
    except (CoreError, LinkError, OSError, ValueError) as error:
        complain(f"the bench of the {what} ended early: {error}")
        return 1


def _play(person: "Understudy", client: "Client", ended: threading.Event) -> None:
    """Let a take play the person until the bench has ended."""
    person.start()
    while not ended.wait(LOOK_S):
        client.beat()
        person.look(client)
    person.end()


def _bench_runs(options: Namespace, robot: str) -> int:
    import subprocess
    import sys
    import tempfile
    import time

    from rich.console import Console

    from app.keeper import console_environment, dead_display
    from app.progress import table
    from app.runs.bench import rows_of
    from core.lab.bench.long_run import write_long_run
    from core.record.errors import RecordError

    reason = dead_display(os.environ)
    if reason:
        return refuse(f"{reason}: the bench of the window of runs needs one")
    program = [sys.executable, "-P", "-m"]
    environment = console_environment()
    with tempfile.TemporaryDirectory() as folder, Console(stderr=True).status("recording") as told:
        short, long = Path(folder) / "short.mcap", Path(folder) / "long.mcap"
        rehearse = ["rehearse", "--robot", robot, "--headless", "--pace", "max"]
        done = subprocess.run(
            [*program, "app", *rehearse, "--log", str(short)], env=environment, capture_output=True
        )
        try:
            write_long_run(short, long, RUN_S)
        except (RecordError, OSError) as error:
            complain(f"the bench of runs ended early: {error} (rehearsal: {done.returncode})")
            return 1
        os.sync()  # the disk has written the long run
        told.update("measuring the window")
        started_s = str(time.monotonic())
        done = subprocess.run(
            [*program, "app.commands.bench_window", started_s, str(long)],
            env=environment,
            capture_output=True,
        )
    lines = done.stdout.decode().strip().splitlines()
    if not lines:
        complain(f"the window ended early: {done.stderr.decode().strip()[-300:]}")
        return 1
    found = json.loads(lines[-1])
    rows = rows_of(found)
    words = [
        (name, f"{value:.2f}   <= {bar:g}   {'pass' if holds else 'FAIL'}")
        for name, value, bar, holds in rows
    ]
    words.append(("every range known after [s]", f"{found['read_s']:.1f}"))
    Console().print(table(f"window of a run of {found['length_s'] / 60:.0f} minutes", words))
    _keep(options, found)
    return 0 if all(holds for *_, holds in rows) else 1


def _keep(options: Namespace, found: dict[str, Any]) -> None:
    """Write what was measured, if that is wanted."""
    if options.json is not None:
        options.json.write_text(json.dumps({"schema": 1, **found}, indent=1) + "\n")
