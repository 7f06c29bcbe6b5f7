"""A core that people operate continues without its scribe and its stagehand, and says so."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from core.link.catalogue.safety import PROCESSES
from core.link.catalogue.show import SHOW_NOT_LOADED, SHOW_REFUSED, SHOW_UNLOADED
from core.link.client import Client
from core.link.commands import LoadShow, StandUp
from core.link.event import Event
from core.link.session import free_endpoint
from core.link.status import Status
from core.record.reader import read
from core.run.launch import LaunchConfig
from core.run.processes import Supervisor

pytestmark = pytest.mark.timeout(400)  # a busy machine may take long to start everything
PATIENCE_S = 90.0


class Watched:
    """A run, and what an operator sees of it."""

    def __init__(self, supervisor: Supervisor, client: Client) -> None:
        self.texts: list[str] = []  # of the supervisor
        self.events: list[Event] = []
        self.status = Status(0.0)
        self._supervisor, self._client = supervisor, client

    def see(self, true: Callable[[], bool]) -> None:
        """Look on, as a console does, until something is true."""
        deadline_s = time.monotonic() + PATIENCE_S
        while not true():
            assert time.monotonic() < deadline_s, (self.status, self.texts, self.events)
            assert self._supervisor.ended() is None, self._supervisor.end()
            self._client.beat()
            told = self._supervisor.revive()
            self.texts += [told] if told else []
            self.status = self._client.status() or self.status
            self.events += self._client.events()
            time.sleep(0.02)

    def heard(self, code: str) -> bool:
        return any(event.code == code for event in self.events)


def test_the_robot_stands_on_while_others_die(tmp_path: Path) -> None:
    log = tmp_path / "run.mcap"
    config = LaunchConfig(free_endpoint(), autopilot=False, log=str(log))
    with (
        Supervisor(config) as supervisor,
        Client(config.endpoint, config.robot, "console", True, PATIENCE_S) as client,
    ):
        run = Watched(supervisor, client)
        run.see(lambda: run.status.mode == "DAMPED" and run.heard(SHOW_UNLOADED.code))
        client.send(StandUp())
        run.see(lambda: run.status.mode == "READY")

        os.kill(supervisor.pids()["scribe"], signal.SIGKILL)
        run.see(lambda: "SIBLING_LOST" in run.status.flags)
        assert run.texts == ["the scribe was killed (SIGKILL); the run continues without it"]
        lost = [alarm for alarm in run.status.alarms if alarm.flag == "SIBLING_LOST"]
        assert [alarm.detail for alarm in lost] == [PROCESSES(names=("scribe",))]
        assert run.status.mode == "READY"

        before = supervisor.pids()["stagehand"]
        os.kill(before, signal.SIGKILL)
        run.see(lambda: supervisor.pids()["stagehand"] != before)
        run.see(lambda: _refused(run, client))
        assert run.status.mode == "READY"
        ending = supervisor.end()
    assert ending.core_status == 0 and not ending.log_complete
    assert len(read(log).column("t")) > 100


def _refused(run: Watched, client: Client) -> bool:
    """Ask for a show that is none, until the new stagehand says so."""
    if run.heard(SHOW_NOT_LOADED.code) or run.heard(SHOW_REFUSED.code):
        return True
    client.send(LoadShow("nowhere"))
    time.sleep(0.2)
    return False
