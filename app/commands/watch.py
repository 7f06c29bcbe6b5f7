"""Watches a run from its start to its end: progress, the console beside it, the exit status."""

import os
import shlex
import signal
import time
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from app.commands.output import COMMAND, complain, say

if TYPE_CHECKING:
    from app.commands.understudy import Understudy
    from app.keeper import Keeper
    from core.link.client import Client
    from core.link.report import Report
    from core.run.launch import LaunchConfig
    from core.run.processes import Ending, Supervisor

REFRESH_S = 0.1
START_S = 180.0  # to load the solvers, on a slow machine


def watch(
    supervisor: "Supervisor",
    config: "LaunchConfig",
    keeper: "Keeper | None" = None,
    understudy: "Understudy | None" = None,
) -> int:
    """Start the processes, show the run until it ends, and say how it went.

    Args:
        supervisor: of the core and its siblings.
        config: their configuration.
        keeper: of the console; None without one. The run ends when the console is closed.
        understudy: who plays the person whom the robot follows; None without one.
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
            client = connect(supervisor, config, asked)
            report = None
            if not config.autopilot:
                say(console, f"the core listens on {config.endpoint}")
                if config.body == TWIN:
                    words = ("footlight", "handset", "--ports", str(supervisor.config.ports))
                    say(console, f"the twin's handset is a window of its own: {shlex.join(words)}")
            if keeper is not None and client is not None:
                say(console, f"should the console be gone, open another: {keeper.advice}")
                keeper.start()
            if understudy is not None and client is not None:
                understudy.start()
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
                    progress.meet(client.hello(0.0))
                    progress.show(status, client.events())
                    report = report or client.report()
                    if understudy is not None:
                        news = understudy.look(client)
                        if news:
                            say(console, news)
                    if keeper is not None:
                        news = keeper.look()
                        if news:
                            say(console, news)
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
            # Only the operator may save edits that were made there.
            say(console, "the core is gone, and the console stays open: save there, then close it")
            if not ending.completed:
                say(console, why(ending, report))
            keeper.await_close(lambda: bool(asked))
    except (LinkError, OSError) as error:
        complain(error)
        return 1
    finally:
        if keeper is not None:
            keeper.end(hurry=lambda: len(asked) > 1)
        if understudy is not None:
            understudy.end()
        for number, handler in handlers.items():
            signal.signal(number, handler)
    if report is not None:
        console.print(report_table(report))
    if config.log is not None and Path(config.log).exists():
        gap = "" if ending.log_complete else " (incomplete: footlight log show says how far)"
        say(console, f"log: {config.log}{gap}")
    closed = keeper is not None and keeper.closed
    if asked or closed:
        if asked:
            complain(f"ended by {signal.Signals(asked[0]).name}")
        # Whoever operates itself was interrupted; a service was asked to end, and did.
        done = not config.autopilot and ending.core_status == 0
    else:
        done = ending.completed and (report is None or report.completed)
        if not done:
            complain(why(ending, report))
        if ending.first == LOOP and ending.core_status == REFUSED:
            return 2
    return 0 if done and ending.log_complete else 1


def why(ending: "Ending", report: "Report | None") -> str:
    """Return why a run ended before it was complete."""
    from core.link import wording
    from core.run.processes import LOOP

    if ending.first == LOOP and report is not None:
        return wording.text(report.reason)
    return ending.reason


def connect(
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
