"""Takes recorded by real processes: a hand pulls the arm, and the file survives what happens."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.link.catalogue.takes import TAKE_FAILED
from core.link.client import Client
from core.link.commands import (
    BackDrive,
    EndBackDrive,
    EndTake,
    MarkTake,
    Pull,
    StandUp,
    StartTake,
    Stop,
)
from core.link.session import free_endpoint
from core.link.take import TakePlan, TakeStatus
from core.robot.profile_file import load_profile
from core.run.launch import LaunchConfig
from core.run.processes import Supervisor
from shows.take import RATE_HZ, read_take
from tests.system.test_siblings import PATIENCE_S, Watched

pytestmark = pytest.mark.timeout(400)  # a busy machine may take long to start everything
LINK = "left_hand"
PULL_S = 0.3  # of each message; the next comes before it ends


class Studio:
    """A run with an operator at its link, who pulls at the robot's hand."""

    def __init__(self, supervisor: Supervisor, client: Client) -> None:
        self.supervisor, self.client = supervisor, client
        self.run = Watched(supervisor, client)
        self.names = load_profile("kid_cosmo").joint_names

    @property
    def take(self) -> TakeStatus:
        """The newest take."""
        assert self.run.status.take is not None
        return self.run.status.take

    def stand(self) -> None:
        self.run.see(lambda: self.run.status.mode in ("DAMPED", "READY"))
        self.client.send(StandUp())
        self.run.see(lambda: self.run.status.mode == "READY")

    def release(self, freedom: str = "floating") -> None:
        self.client.send(BackDrive({"left_arm": freedom}))  # type: ignore[dict-item]
        self.run.see(lambda: freedom in self.run.status.freedoms)
        assert self.run.status.mode == "RECORD"

    def start(self, path: Path, count_in_s: float = 0.0) -> None:
        plan = TakePlan(path=str(path), limbs=("left_arm",), count_in_s=count_in_s)
        self.client.send(StartTake(plan))
        stage = "counting" if count_in_s else "recording"
        self.run.see(lambda: (t := self.run.status.take) is not None and t.path == str(path))
        self.run.see(lambda: self.take.stage == stage)

    def see_stage(self, *stages: str) -> TakeStatus:
        self.run.see(lambda: self.take.stage in stages)
        return self.take

    def pull(self, target: np.ndarray[tuple[int], np.dtype[np.float64]], seconds: float) -> None:
        """Pull at the hand for some time, as a mouse that is dragged does."""
        x, y, z = target.tolist()
        until_s = time.monotonic() + seconds
        while time.monotonic() < until_s:
            self.client.send(Pull(LINK, (0.0, 0.0, -0.05), (x, y, z), PULL_S))
            number = self.run.status.sequence
            self.run.see(lambda seen=number: self.run.status.sequence > seen + 1)  # type: ignore[misc]


@pytest.fixture(scope="module")
def studio() -> Iterator[Studio]:
    config = LaunchConfig(free_endpoint(), autopilot=False)
    with (
        Supervisor(config) as supervisor,
        Client(config.endpoint, config.robot, "console", True, PATIENCE_S) as client,
    ):
        yield Studio(supervisor, client)
        supervisor.end()


def test_a_pulled_arm_is_recorded_and_stays_where_it_is_left(
    studio: Studio, tmp_path: Path
) -> None:
    path = tmp_path / "takes" / "wave.take"
    studio.stand()
    studio.release()
    base = np.array(studio.run.status.base_position)
    studio.start(path, count_in_s=0.5)
    assert studio.take.time_s < 0.0
    studio.see_stage("recording")
    studio.pull(base + (0.35, 0.3, 0.15), 2.0)
    studio.client.send(MarkTake("highest"))
    studio.pull(base + (0.3, 0.35, 0.05), 1.0)
    studio.pull(base + (0.3, 0.35, 0.05), PULL_S)  # let go: the rest shows whether it stays
    left_s = studio.take.time_s + PULL_S
    studio.run.see(lambda: studio.take.time_s > left_s + 1.5)
    studio.client.send(EndTake())
    studio.see_stage("saved")
    studio.client.send(EndBackDrive())
    studio.run.see(lambda: studio.run.status.mode == "READY")

    take = read_take(path)
    assert take.whole and not take.damaged_bytes and not take.gaps()
    assert take.head.limbs == ("left_arm",) and take.head.freedoms["left_arm"] == "floating"
    assert take.head.body == "sim" and take.head.recorded_at
    assert np.diff(take.time_s) == pytest.approx(1.0 / RATE_HZ, abs=1e-4)
    assert [marker.name for marker in take.markers] == ["highest"]
    columns = [i for i, name in enumerate(studio.names) if name.startswith(("left_s", "left_e"))]
    arm = np.degrees(take.positions[:, columns])
    assert np.ptp(arm, axis=0).max() > 30.0, "the hand has moved the arm"
    after = arm[take.time_s > left_s + 0.5]
    assert np.ptp(after, axis=0).max() < 2.0, "a floating arm stays where it is left"


def test_a_take_outlives_its_recorder_and_a_stop(studio: Studio, tmp_path: Path) -> None:
    studio.stand()
    studio.release("held")
    killed = tmp_path / "killed.take"
    studio.start(killed)
    studio.run.see(lambda: studio.take.saved_s > 0.5)
    before = studio.supervisor.pids()["recorder"]
    os.kill(before, signal.SIGKILL)
    studio.see_stage("failed")
    assert studio.run.heard(TAKE_FAILED.code)
    studio.run.see(lambda: studio.supervisor.pids()["recorder"] != before)
    take = read_take(killed)
    assert not take.whole and take.duration_s > 0.4

    studio.run.see(lambda: "SIBLING_LOST" not in studio.run.status.flags)
    studio.client.send(StartTake(TakePlan(path=str(killed), limbs=("left_arm",))))
    studio.run.see(lambda: "killed.take" in studio.take.trouble)  # no take replaces another
    assert studio.take.stage == "failed"
    stopped = tmp_path / "stopped.take"
    studio.start(stopped)
    studio.run.see(lambda: studio.take.saved_s > 0.3)
    studio.client.send(Stop())
    studio.see_stage("saved")
    assert studio.run.status.mode == "FAULT"
    assert set(studio.run.status.freedoms) == {"driven"}
    assert read_take(stopped).whole
