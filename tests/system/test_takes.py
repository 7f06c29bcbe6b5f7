"""Takes recorded by real processes: a hand pulls the arm, and the file survives what happens."""

import math
import os
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from app.console.bench.sound_server import SoundServer, why_not
from core.link import topics
from core.link.catalogue.takes import SOUND_TROUBLE, TAKE_FAILED
from core.link.client import Client
from core.link.commands import (
    BackDrive,
    EndBackDrive,
    EndTake,
    Head,
    MarkTake,
    Pull,
    ReleaseHead,
    StandUp,
    StartTake,
    Stop,
)
from core.link.session import free_endpoint
from core.link.take import MicrophoneReport, MicrophoneWish, TakePlan, TakeStatus
from core.robot.profile_file import load_profile
from core.run.launch import LaunchConfig
from core.run.processes import Supervisor
from shows.audio import audio_info
from shows.take import RATE_HZ, read_take
from shows.take_sound import RATE_HZ as RATE_SOUND_HZ
from shows.take_sound import SoundWriter, decoded, sound_path
from tests.system.test_siblings import PATIENCE_S, Watched

pytestmark = pytest.mark.timeout(400)  # a busy machine may take long to start everything
LINK = "left_hand"
CLICK_S = 0.5  # of the sound of an earlier take
CLICK_FRAME = round(CLICK_S * RATE_SOUND_HZ)
LAG_S = 0.03  # of the head behind its command, which differs between a stick and a clip
PULL_S = 0.3  # of each message; the next comes before it ends


class Studio:
    """A run with an operator at its link, who pulls at the robot's hand."""

    def __init__(self, supervisor: Supervisor, client: Client, server: SoundServer | None) -> None:
        self.supervisor, self.client, self.server = supervisor, client, server
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

    @property
    def ear(self) -> str | None:
        """The microphone, which hears the sink; None where no sound can be played."""
        return None if self.server is None else "ear"

    def start(
        self,
        path: Path,
        count_in_s: float = 0.0,
        limbs: tuple[str, ...] = ("left_arm",),
        over: Path | None = None,
        microphone: str | None = None,
    ) -> None:
        plan = TakePlan(
            path=str(path),
            limbs=limbs,
            count_in_s=count_in_s,
            backing_take="" if over is None else str(over),
            microphone=microphone,
        )
        self.client.send(StartTake(plan))
        stage = "counting" if count_in_s or over is not None else "recording"
        self.run.see(lambda: (t := self.run.status.take) is not None and t.path == str(path))
        self.run.see(lambda: self.take.stage == stage)

    def listen(self) -> None:
        """Let the recorder answer, and hear the microphone, as the panel Record does."""
        reports = self.client.subscribe(topics.MICROPHONE)
        reports.poll()
        told: list[MicrophoneReport] = []

        def heard() -> bool:
            self.client.publish(MicrophoneWish(self.ear))
            told.extend(reports.poll())
            return bool(told) and (told[-1].open or self.ear is None)

        self.run.see(heard)
        assert self.ear is None or self.ear in told[-1].devices

    def look(self, seconds: float) -> None:
        """Turn the head by a stick, there and back."""
        begin_s = time.monotonic()
        while (now_s := time.monotonic() - begin_s) < seconds:
            self.client.send(Head(yaw=0.5 * math.sin(2.0 * now_s), pitch=0.0))
            number = self.run.status.sequence
            self.run.see(lambda seen=number: self.run.status.sequence > seen + 1)  # type: ignore[misc]
        self.client.send(ReleaseHead())

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
def server() -> Iterator[SoundServer | None]:
    """A sound server, which the processes of the run know; None where there cannot be one."""
    if why_not() is not None:
        yield None
        return
    with (
        tempfile.TemporaryDirectory(prefix="snd") as folder,
        pytest.MonkeyPatch.context() as patch,
    ):
        server = SoundServer(Path(folder))
        server.start()
        for name in ("HOME", "XDG_RUNTIME_DIR", "PULSE_SERVER"):
            patch.setenv(name, server.environment[name])
        yield server
        server.kill()


@pytest.fixture(scope="module")
def studio(server: SoundServer | None) -> Iterator[Studio]:
    config = LaunchConfig(free_endpoint(), autopilot=False, sound="" if server is None else "hall")
    with (
        Supervisor(config) as supervisor,
        Client(config.endpoint, config.robot, "console", True, PATIENCE_S) as client,
    ):
        yield Studio(supervisor, client, server)
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


def test_an_overdub_plays_the_earlier_take_with_its_sound_and_hears_it(
    studio: Studio, tmp_path: Path
) -> None:
    earlier, path = tmp_path / "look.take", tmp_path / "arm.take"
    studio.stand()
    studio.start(earlier, limbs=("head",))
    studio.look(2.0)
    studio.client.send(EndTake())
    studio.see_stage("saved")
    first = read_take(earlier)
    yaw = first.head.joint_names.index("head_yaw")
    assert np.ptp(first.positions[:, yaw]) > 0.4, "the stick has turned the head"
    if studio.server is not None:
        studio.listen()
        with sound_path(earlier).open("wb", buffering=0) as stream:
            SoundWriter(stream).write(np.eye(1, RATE_SOUND_HZ, CLICK_FRAME)[0] * 0.9)
    studio.release("held")
    studio.start(path, over=earlier, microphone=studio.ear)
    studio.see_stage("recording")
    began_s = time.monotonic()
    studio.run.see(lambda: studio.take.time_s > 1.5)
    # The sound follows the host's clock, and on a starved machine the simulation falls behind it.
    in_time = time.monotonic() - began_s < 1.6
    studio.client.send(EndTake())
    taken = studio.see_stage("saved")
    studio.client.send(EndBackDrive())
    studio.run.see(lambda: studio.run.status.mode == "READY")

    second = read_take(path)
    assert second.head.backing_take == "look" and second.head.backing_limbs == ("head",)
    times_s = np.arange(0.2, 1.4, 0.01)
    played = np.interp(times_s, second.time_s, second.positions[:, yaw])

    def error(late_s: float) -> float:
        moved = np.interp(times_s - late_s, first.time_s, first.positions[:, yaw])
        return float(np.sqrt(np.square(played - moved).mean()))

    late = min((error(late_s), late_s) for late_s in np.arange(-0.1, 0.1, 0.005))
    assert error(0.0) < np.radians(3.0) and abs(late[1]) < LAG_S, late
    if studio.server is not None and in_time:
        assert taken.sound_s == pytest.approx(second.duration_s, abs=0.05), taken
        samples = decoded(sound_path(path).read_bytes()[44:])
        loud = int(np.abs(samples).argmax())
        assert abs(samples[loud]) > 0.3, "the click was heard"
        assert loud / RATE_SOUND_HZ == pytest.approx(CLICK_S, abs=0.010)


def test_a_lost_microphone_keeps_the_take_and_the_sound_so_far(
    studio: Studio, tmp_path: Path
) -> None:
    if studio.server is None:
        pytest.skip(str(why_not()))
    path = tmp_path / "lost.take"
    studio.stand()
    studio.listen()
    studio.start(path, microphone=studio.ear)
    studio.run.see(lambda: (studio.take.sound_s or 0.0) > 0.5)
    studio.server.kill()
    studio.run.see(lambda: bool(studio.take.sound_trouble))
    assert studio.take.stage == "recording" and studio.run.heard(SOUND_TROUBLE.code)
    studio.client.send(EndTake())
    taken = studio.see_stage("saved")
    studio.server.start()
    assert taken.sound_trouble and read_take(path).whole
    assert audio_info(sound_path(path), "lost.wav").duration_s > 0.5


def test_a_take_outlives_its_recorder_and_a_stop(studio: Studio, tmp_path: Path) -> None:
    studio.stand()
    studio.release("held")
    killed = tmp_path / "killed.take"
    studio.listen()
    studio.start(killed, microphone=studio.ear)
    studio.run.see(lambda: studio.take.saved_s > 0.5)
    if studio.server is not None:
        studio.run.see(lambda: (studio.take.sound_s or 0.0) > 0.5)
    before = studio.supervisor.pids()["recorder"]
    os.kill(before, signal.SIGKILL)
    studio.see_stage("failed")
    assert studio.run.heard(TAKE_FAILED.code)
    studio.run.see(lambda: studio.supervisor.pids()["recorder"] != before)
    take = read_take(killed)
    assert not take.whole and take.duration_s > 0.4
    if studio.server is not None:
        assert audio_info(sound_path(killed), "killed.wav").duration_s > 0.4

    studio.run.see(lambda: "SIBLING_LOST" not in studio.run.status.flags)
    studio.listen()  # the new recorder answers
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
