"""The heartbeat outlives a busy moment of the windows' thread, and ends when that thread hangs."""

import threading
import time

import pytest

from app.console.context.pulse import HUNG_S, Pulse
from core.link.client import Client
from core.link.server import Server
from core.link.session import free_endpoint
from tests.app.console.rig import ROBOT

pytestmark = pytest.mark.realtime
TICK_S = 0.01
SILENT_S = 0.25  # of an operator, for the core
TRIES = 10  # of a machine that is busy now and then


class Listener:
    """A core that notes how old the newest heartbeat of an operator is."""

    def __init__(self) -> None:
        self.endpoint = free_endpoint()
        self.ages_s: list[float] = []
        self._up, self._ended = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert self._up.wait(20.0)

    def _run(self) -> None:
        with Server(self.endpoint, ROBOT) as server:
            self._up.set()
            while not self._ended.wait(TICK_S):
                server.poll_heartbeats(time.monotonic())
                self.ages_s.append(server.operator_age_s())

    def wait(self, time_s: float) -> float:
        """Return the largest age within some time [s]."""
        self.ages_s.clear()
        time.sleep(time_s)
        return max(self.ages_s)

    def close(self) -> None:
        self._ended.set()
        self._thread.join()


def rides_over(core: Listener, pulse: Pulse, client: Client) -> bool:
    """Tell whether a busy moment of the windows' thread is not noticed by the core."""
    for _ in range(10):  # until the core hears it
        pulse.give_sign(client)
        core.wait(0.05)
    pulse.give_sign(client)
    return core.wait(0.8 * HUNG_S) < SILENT_S


def test_a_busy_thread_costs_no_heartbeat_and_a_hung_one_ends_it() -> None:
    core, pulse = Listener(), Pulse()
    with Client(core.endpoint, ROBOT, "console", operator=True, timeout_s=20.0) as client:
        try:
            assert any(rides_over(core, pulse, client) for _ in range(TRIES))
            core.wait(HUNG_S)
            assert core.wait(2.0 * SILENT_S) > SILENT_S
            assert any(rides_over(core, pulse, client) for _ in range(TRIES))
        finally:
            pulse.close()
            core.close()


def test_nothing_is_sent_on_a_connection_that_was_left() -> None:
    core, pulse = Listener(), Pulse()
    with Client(core.endpoint, ROBOT, "console", operator=True, timeout_s=20.0) as client:
        pulse.give_sign(client)
        pulse.leave()
    try:
        core.wait(0.2)
        pulse.give_sign(None)
        assert core.wait(SILENT_S + 0.1) > SILENT_S
    finally:
        pulse.close()
        core.close()
