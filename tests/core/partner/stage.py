"""A partner's process for real, with a core that only tells its status, and a console."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from assets.takes.build import FOLDER
from core.link import topics
from core.link.client import Client
from core.link.partner import Calibrate, FollowStatus, PartnerReport
from core.link.server import Server
from core.link.session import free_endpoint
from core.link.status import Status
from core.link.wording import sentence
from core.run.launch import LaunchConfig
from core.run.processes import child_environment, core_command
from core.service.puppeteer.order import PuppeteerOrder
from tests.core.partner.senders import HOST

T_POSE_S = 3.6  # for a partner that was ready before
STATUS_S = 0.02


class Stage:
    """The process, and what it sends.

    Args:
        source: of its launch configuration.
        robot: whom it serves.

    Attributes:
        follow: what the core tells of following; a test sets it.
        show: path of the loaded show.
        process: the partner's.
        heard: the messages of each topic, by its name.
    """

    def __init__(self, source: str = "", robot: str = "kid_cosmo") -> None:
        self.follow, self.show = FollowStatus(), ""
        self._config = LaunchConfig(free_endpoint(), robot, source=source)
        self._puppets: list[subprocess.Popen[bytes]] = []
        self.heard: dict[str, list[Any]] = {}

    def __enter__(self) -> Self:
        self._core = Server(self._config.endpoint, self._config.robot)
        self.process = subprocess.Popen(
            core_command("partner", self._config), env=child_environment()
        )
        self._console = Client(self._config.endpoint, self._config.robot, "console")
        wanted = (topics.POSTURE, topics.REPLY, topics.HUMAN, topics.PARTNER_REPORT)
        self._inboxes = [(topic.name, self._console.subscribe(topic)) for topic in wanted]
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        self._thread.join()
        for one in (*self._puppets, self.process):
            one.send_signal(signal.SIGCONT)
            one.terminate()
        for one in (*self._puppets, self.process):
            one.wait(10.0)
        self._console.close()
        self._core.close()

    def _run(self) -> None:
        """Tell the status and collect what comes, until the end."""
        while not self._ended.wait(0.005):
            now_s = time.monotonic()
            if int(now_s / STATUS_S) != int((now_s - 0.005) / STATUS_S):
                self._core.publish(Status(now_s, follow=self.follow, show_path=self.show))
            self._core.poll_heartbeats(now_s)
            for name, inbox in self._inboxes:
                found = inbox.poll()
                if found:
                    self.heard.setdefault(name, []).extend(found)

    @property
    def report(self) -> PartnerReport:
        """The newest report."""
        self.see(lambda: self.newest("partner_report") is not None)
        found: PartnerReport = self.newest("partner_report")
        return found

    def tell(self, *orders: msgspec.Struct) -> None:
        """Order something, as a console does once it knows of the partner."""
        self.see(lambda: self.count("partner_report") > 0)
        for order in orders:
            self._console.publish(order)

    def see(self, true: Callable[[], bool], within_s: float = 30.0) -> None:
        """Wait until something is true."""
        end_s = time.monotonic() + within_s
        while not true():
            assert self.process.poll() is None, "the partner ended"
            assert time.monotonic() < end_s, f"it never came true: {self.newest('partner_report')}"
            time.sleep(0.02)

    def newest(self, name: str) -> Any:
        """Return the newest message of a topic; None before the first."""
        return self.heard.get(name, [None])[-1]

    def count(self, name: str) -> int:
        """Return how many messages of a topic came so far."""
        return len(self.heard.get(name, ()))

    def puppet(self, take: str, source: str, port: int, **how: Any) -> "subprocess.Popen[bytes]":
        """Start a puppeteer who plays a take of assets/takes, or a file."""
        file = Path(take) if os.sep in take else FOLDER / f"{take}.bvh"
        order = PuppeteerOrder(str(file), source, HOST, port, **how)  # type: ignore[arg-type]
        line = (sys.executable, "-P", "-m", "core", "puppeteer", "--json", order.to_json())
        puppet = subprocess.Popen(line, env=child_environment(), stdout=subprocess.DEVNULL)
        self._puppets.append(puppet)
        return puppet

    def calibrate(self, puppet: "subprocess.Popen[bytes]") -> None:
        """Take the T-pose that a puppeteer begins with."""
        self.see(lambda: self.report.source.rate_hz > 20.0)
        self.tell(Calibrate())
        self.see(lambda: self.report.calibration.state == "holding")
        self.see(lambda: self.report.calibration.state != "holding")
        reason = self.report.calibration.reason
        assert reason is None, sentence(reason)
        assert puppet.poll() is None
