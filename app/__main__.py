"""The `footlight` command: reads its arguments, starts what they ask for, shows what happens.

Imports lazily: `footlight --help` loads no solver, and the robot's computer no toolkit.
"""

import json
import os
import shlex
import signal
import sys
import time
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from app.arguments import DEFAULT_PORT, build_parser

if TYPE_CHECKING:
    from rich.console import Console

    from app.keeper import Keeper
    from core.link.client import Client
    from core.run.launch import LaunchConfig
    from core.run.processes import Supervisor

REFRESH_S = 0.1
COMMAND = "command"  # what this process is on the link
START_S = 180.0  # to load the solvers, on a slow machine


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status: 0 done, 1 not done, 2 bad input."""
    # Until a run takes it over, Ctrl-C ends the command without a word.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    options = build_parser().parse_args(arguments)
    commands = {
        "rehearse": rehearse,
        "console": console,
        "handset": handset,
        "core": core,
        "preflight": preflight,
        "evaluate": evaluate,
        "bench": bench,
        "log": log,
        "doctor": doctor,
        "commission": commission,
    }
    return commands[options.command](options)


def refuse(text: object) -> int:
    """Say in one line what is wrong with the input."""
    print(f"footlight: {text}", file=sys.stderr)
    return 2


def rehearse(options: Namespace) -> int:
    """Open the console on a simulated robot; or play a show, or walk, without one."""
    if options.show is not None and options.walk:
        return refuse("a rehearsal either plays a show or walks: leave out SHOW or --walk")
    if options.gestures and not options.walk:
        return refuse("--gestures plays while walking: add --walk")
    show = None if options.walk else options.show or _sample_show()
    if show is not None and not show.exists():
        return refuse(f"there is no show {show}")
    moves = any(order[axis] for order in options.walk for axis in order if axis != "dur")
    if moves and (options.support == "seated" or options.stepping == "off"):
        cause = "seated" if options.support == "seated" else "not allowed to step"
        return refuse(f"the robot is {cause}, so it cannot walk; leave out vx, vy, yaw and step")
    from core.run.launch import PushOrder, WalkOrder

    opens = not (options.headless or options.walk)
    reason = _no_console(options) if opens else ""
    if reason:
        print(f"footlight: {reason}: the rehearsal operates itself, without a picture")
    return _supervise(
        options,
        console=opens and not reason,
        show=None if show is None else str(show.resolve()),
        walk=tuple(WalkOrder(**order) for order in options.walk),
        gestures=options.gestures,
        pushes=tuple(PushOrder(**order) for order in options.push),
        headless=options.headless,
    )


def _no_console(options: Namespace) -> str:
    """Return why a rehearsal has no console, as the beginning of a sentence, or nothing."""
    from app.keeper import dead_display

    if options.pace != "real":
        return "nobody can operate a robot at another pace than real"
    if options.push:
        return "pushes at set times are for a robot that operates itself"
    return dead_display(os.environ)


def console(options: Namespace) -> int:
    """Open the operator's console on a core that runs, or will run."""
    from app.keeper import no_display
    from core.run.launch import LaunchConfig

    if options.show is not None and not options.show.exists():
        return refuse(f"there is no show {options.show}")
    reason = no_display(os.environ)
    if reason:
        return refuse(f"{reason}: the console needs one")
    try:
        from app.console.application import run
    except ModuleNotFoundError as error:
        return refuse(f"the console needs {error.name}, which is not installed: make setup does it")
    show = None if options.show is None else options.show.resolve()
    return run(options.connect, LaunchConfig(endpoint=options.connect).robot, show)


def handset(options: Namespace) -> int:
    """Open the handset of a twin."""
    from app.keeper import no_display
    from core.handset.kept import kept_path, read_kept
    from core.link.handset import GESTURE, WORDS
    from core.robot.profile_file import load_profile
    from core.run.launch import LaunchConfig

    reason = no_display(os.environ)
    if reason:
        return refuse(f"{reason}: the handset's window needs one")
    try:
        from app.handset.application import choose_twin, run
    except ModuleNotFoundError as error:
        return refuse(f"the handset needs {error.name}, which is not installed: make setup does it")
    folder: Path | None = options.ports
    if folder is None:
        folder, reason = choose_twin()
        if folder is None:
            return refuse(reason)
    profile = load_profile(LaunchConfig(endpoint="").robot)
    own = profile.handset
    if own is None:
        return refuse(f"{profile.title} has no handset")

    def uses() -> list[str]:
        layout, _ = read_kept(kept_path(profile.name))
        buttons = (layout or own.map).buttons
        return [WORDS.get(use, use.removeprefix(GESTURE).replace("_", " ")) for use in buttons]

    return run(folder.absolute(), uses)


def core(options: Namespace) -> int:
    """Run the control core until it is ended."""
    return _supervise(options, autopilot=False, headless=True)


def _sample_show() -> Path:
    import shows

    return Path(str(shows.__file__)).parent / "library" / "meet_cosmo"


def _endpoint(options: Namespace) -> str:
    """Return where the core shall listen: a service where a console looks for it, if it can."""
    from core.link.errors import LinkError
    from core.link.session import endpoint_on, free_endpoint

    if options.command != "core":
        return free_endpoint()
    if options.port is not None:
        return endpoint_on(options.port)
    try:
        return endpoint_on(DEFAULT_PORT)
    except LinkError:
        return free_endpoint()


def _supervise(options: Namespace, console: bool = False, **particulars: Any) -> int:
    from app.keeper import Keeper, console_command, spoken_command
    from core.errors import CoreError
    from core.record.log_file import check_path
    from core.run.launch import LaunchConfig
    from core.run.processes import Supervisor

    try:
        if options.log is not None:
            check_path(options.log)
        show = particulars.get("show")
        calibration: Path | None = getattr(options, "calibration", None)
        if console:  # which has the core load what it opens, as it is edited
            particulars |= {"autopilot": False, "pushes": (), "show": None}
        config = LaunchConfig(
            endpoint=_endpoint(options),
            body=options.body,
            ports=None if options.ports is None else str(options.ports.resolve()),
            faults=None if options.faults is None else str(options.faults.resolve()),
            calibration=None if calibration is None else str(calibration.resolve()),
            pace=options.pace,
            seed=options.seed,
            support=options.support,
            slope=options.slope,
            friction=options.friction,
            payload_kg=options.payload,
            stepping=options.stepping == "on",
            sound=options.sound or "",
            siblings=(COMMAND,),
            log=None if options.log is None else str(options.log.resolve()),
            **particulars,
        )
        config = LaunchConfig.from_json(config.to_json())
    except (CoreError, ValueError) as error:
        return refuse(error)
    if config.body == "sim" and options.ports or config.body != "twin" and options.faults:
        return refuse("--ports and --faults are for --body twin")
    if options.ports is not None and config.body == "twin" and not options.ports.is_dir():
        return refuse(f"there is no folder {options.ports}: make it, or leave --ports out")
    if options.faults is not None and not options.faults.is_file():
        return refuse(f"there is no file {options.faults}")
    keeper = None
    if console:
        opened = None if show is None else Path(show)
        advice = spoken_command(config.endpoint, opened)
        keeper = Keeper(console_command(config.endpoint, opened), advice)
    return watch(Supervisor(config), config, keeper)


def watch(supervisor: "Supervisor", config: "LaunchConfig", keeper: "Keeper | None" = None) -> int:
    """Start the processes, show the run until it ends, and say how it went.

    Args:
        supervisor: of the core and its siblings.
        config: what they run.
        keeper: of the console; None without one. The run ends when the console is closed.
    """
    from rich.console import Console

    from app.progress import Progress, report_table
    from app.service import Service
    from core.link import wording
    from core.link.catalogue.run import PROCESS_REPLACED
    from core.link.errors import LinkError
    from core.run.processes import LOOP, REFUSED, TWIN

    asked: list[int] = []
    seen = False

    def on_signal(number: int, frame: FrameType | None) -> None:
        asked.append(number)

    console = Console()
    service = Service(os.environ)
    handlers = {n: signal.signal(n, on_signal) for n in (signal.SIGTERM, signal.SIGINT)}
    try:
        with supervisor:
            client = _connect(supervisor, config, asked)
            report = None
            if not config.autopilot:
                _say(console, f"the core listens on {config.endpoint}")
                if config.body == TWIN:
                    words = ("footlight", "handset", "--ports", str(supervisor.config.ports))
                    _say(console, f"the twin's handset is a window of its own: {shlex.join(words)}")
            if keeper is not None and client is not None:
                _say(console, f"should the console be gone, open another: {keeper.advice}")
                keeper.start()
            with Progress(console, console.is_terminal) as progress:
                while client is not None and not asked and supervisor.ended() is None:
                    client.beat()
                    news = supervisor.revive()
                    if news:
                        said = PROCESS_REPLACED(text=news)
                        client.publish(wording.event(None, COMMAND, said))
                    status = client.status()
                    if status is not None:
                        seen = True
                        service.hear(status.stamp_s, status.mode, time.monotonic())
                    progress.show(status, client.events())
                    report = report or client.report()
                    if keeper is not None:
                        news = keeper.look()
                        if news:
                            _say(console, news)
                        if keeper.closed:
                            break
                    time.sleep(REFRESH_S)
                service.end()
                ending = supervisor.end(hurry=lambda: len(asked) > 1)
                if client is not None:
                    report = report or client.report()
                    progress.show(client.status(), client.events())
                    client.close()
        if keeper is not None and seen and not asked and not keeper.closed:
            # What is edited there is the operator's to save.
            _say(console, "the core is gone, and the console stays open: save there, then close it")
            keeper.await_close(lambda: bool(asked))
    except (LinkError, OSError) as error:
        print(f"footlight: {error}", file=sys.stderr)
        return 1
    finally:
        if keeper is not None:
            keeper.end(hurry=lambda: len(asked) > 1)
        for number, handler in handlers.items():
            signal.signal(number, handler)
    if report is not None:
        console.print(report_table(report))
    if config.log is not None and Path(config.log).exists():
        gap = "" if ending.log_complete else " (incomplete: footlight log show says how far)"
        _say(console, f"log: {config.log}{gap}")
    closed = keeper is not None and keeper.closed
    if asked or closed:
        if asked:
            print(f"footlight: ended by {signal.Signals(asked[0]).name}", file=sys.stderr)
        # Whoever operates itself was interrupted; a service was asked to end, and did.
        done = not config.autopilot and ending.core_status == 0
    else:
        done = ending.completed and (report is None or report.completed)
        if not done:
            told = ending.reason
            if ending.first == LOOP and report is not None:
                told = wording.text(report.reason)
            print(f"footlight: {told}", file=sys.stderr)
        if ending.first == LOOP and ending.core_status == REFUSED:
            return 2
    return 0 if done and ending.log_complete else 1


def _say(console: "Console", text: str) -> None:
    console.print(text, markup=False, highlight=False, soft_wrap=True)


def _connect(
    supervisor: "Supervisor", config: "LaunchConfig", asked: list[int], operator: bool = False
) -> "Client | None":
    """Return a client once the core listens, None if the run ends before."""
    from core.link.client import Client
    from core.link.errors import LinkError

    deadline = time.monotonic() + START_S
    while not asked and supervisor.ended() is None:
        try:
            client = Client(config.endpoint, config.robot, COMMAND, operator, timeout_s=0.0)
            # Before its first heartbeat, for which the core waits: nothing is missed.
            client.status(), client.events(), client.report()
            return client
        except LinkError:
            if time.monotonic() > deadline:
                raise
            time.sleep(REFRESH_S)
    return None


def preflight(options: Namespace) -> int:
    """Check a show without playing it."""
    from rich.console import Console

    from app.progress import verdict_table
    from core.errors import CoreError
    from core.robot.profile_file import load_profile
    from core.run.launch import LaunchConfig
    from core.stage.preflight import preflight_show
    from shows.errors import ShowError

    try:
        with Console(stderr=True).status(f"reading {options.show}") as status:

            def progress(done: int, cues: int) -> None:
                status.update(f"{done} of {cues} cues")

            profile = load_profile(LaunchConfig(endpoint="").robot)
            found = preflight_show(options.show, profile, progress=progress)
    except (CoreError, ShowError) as error:
        return refuse(error)
    for warning in found.warnings:
        print(f"footlight: {warning}", file=sys.stderr)
    Console().print(verdict_table(str(options.show), found.rows()))
    return 0 if found.passed else 1


def evaluate(options: Namespace) -> int:
    """Measure the core on simulated robots; the status is 0 only if every bar holds."""
    from core.errors import CoreError
    from core.lab.evaluate import evaluate as run

    jobs = options.jobs or len(os.sched_getaffinity(0))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return run(options.experiment, options.seeds, options.json, options.plot, jobs)
    except CoreError as error:
        return refuse(error)
    except KeyboardInterrupt:
        print("footlight: ended by SIGINT", file=sys.stderr)
        return 1


def bench(options: Namespace) -> int:
    """Measure the core on this machine; the status is 0 only if every bar holds."""
    if options.console:
        return _bench_console(options)
    # One thread, as the loop's process has it; before NumPy is loaded.
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    from core.errors import CoreError
    from core.lab.bench.benchmark import Order
    from core.lab.bench.run import bench as run

    log = None if options.log is None else str(options.log.resolve())
    order = Order(options.seconds, options.minutes, options.hours, options.seed, log)
    try:
        return run(options.part, order, options.json)
    except CoreError as error:
        return refuse(error)


def _bench_console(options: Namespace) -> int:
    from rich.console import Console

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
            seed=options.seed,
            autopilot=False,
            headless=True,
            siblings=(COMMAND,),
        )
        order = ProbeOrder(options.seconds, options.presses)
        with Console(stderr=True).status("the core starts") as status, Supervisor(config) as core:
            client = _connect(core, config, asked, operator=True)
            if client is None:
                raise ConsoleBenchError(core.ended() or "it was interrupted")
            with client:
                found = Bench(
                    client,
                    lambda show: console_command(config.endpoint, show),
                    order,
                    status.update,
                    lambda: bool(asked) or core.ended() is not None,
                ).run()
    except (ConsoleBenchError, CoreError, LinkError, OSError) as error:
        print(f"footlight: the bench of the console ended early: {error}", file=sys.stderr)
        return 1
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    words = {True: "pass", False: "FAIL", None: ""}
    rows = [(what, f"{value}   {bar}   {words[held]}") for what, value, bar, held in found.rows]
    console.print(table("console: median / p99 / max", rows))
    if options.json is not None:
        options.json.write_text(json.dumps({"schema": 1, **found.report}, indent=1) + "\n")
    return 0 if found.holds else 1


def doctor(options: Namespace) -> int:
    """Say what is wrong before a show; the status is 0 only if nothing is."""
    from rich.console import Console

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

    def whole(path: Path | None) -> str | None:
        return None if path is None else str(path.absolute())

    try:
        order = DoctorOrder(
            robot=options.robot,
            body=options.body,
            ports=whole(options.ports),
            faults=whole(options.faults),
            calibration=whole(options.calibration),
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
    _say(console, summary(findings))
    well = nothing_wrong(findings)
    if options.json is not None:
        keys = ("what", "state", "found", "todo")
        told = [dict(zip(keys, row, strict=True)) for row in rows]
        report = {"schema": 1, "nothing_wrong": well, "findings": told}
        options.json.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n")
    return 0 if well else 1


def commission(options: Namespace) -> int:
    """Fit actuators to their joints; the status is 0 only if all is as it should be."""
    from core.errors import CoreError
    from core.service.commission.order import CommissionOrder
    from core.service.commission.process import commission as work

    if options.faults is not None and (options.body != "twin" or options.ports is not None):
        return refuse("--faults is for a twin that is started: --body twin without --ports")
    if options.faults is not None and not options.faults.is_file():
        return refuse(f"there is no file {options.faults}")

    def whole(path: Path | None) -> str | None:
        return None if path is None else str(path.absolute())

    try:
        order = CommissionOrder(
            action=options.action,
            names=tuple(options.names),
            robot=options.robot,
            body=options.body,
            ports=whole(options.ports),
            faults=whole(options.faults),
            calibration=whole(options.calibration),
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


def log(options: Namespace) -> int:
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
        print(f"footlight: {recording.problem}", file=sys.stderr)
    ticks = sum(len(block) for block in recording.blocks)
    _say(Console(), f"{out}: {ticks} ticks, {len(recording.event_t)} events")
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
        print(f"footlight: {recording.problem}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
