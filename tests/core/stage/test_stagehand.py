"""The stagehand: shows in, prepared shows or one sentence out."""

import json
import os
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest

from core.behave.joints import UpperJoints
from core.handset.kept import read_kept
from core.link import topics
from core.link.client import Client
from core.link.handset import HandsetMap
from core.link.pose import PoseQuestion
from core.link.requests import KeepHandsetMap, LoadRequest, ShowRefused
from core.link.server import Server
from core.link.session import free_endpoint
from core.link.take import BackingRefused, BackingRequest
from core.link.torque import TorqueQuestion
from core.robot.profile import Profile
from core.run.launch import LaunchConfig
from core.stage import stagehand
from core.stage.prepared import PreparedShow
from core.stage.stagehand import get_ready_or_refuse
from shows.document import Cue, Show, VoiceClip, VoiceTrack, WalkClip, WalkTrack
from shows.storage import encode_show
from tests.core.stage.robot import body, profile

ROOT = Path(__file__).parents[3]
T = TypeVar("T")


def write_show(folder: Path, *cues: Cue) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "show.json").write_bytes(encode_show(Show(name="Test", cues=cues)))
    return folder


def good_show(folder: Path) -> Path:
    walk = WalkTrack(clips=(WalkClip(length_s=2.0, vx=0.1),))
    return write_show(folder, Cue(number="1", tracks=(walk,)))


def test_a_good_show_is_prepared_with_the_library_s_gestures(tmp_path: Path) -> None:
    request = LoadRequest(str(good_show(tmp_path / "good")), True, "console-7-ab")
    result = get_ready_or_refuse(request, profile())
    assert isinstance(result, PreparedShow)
    assert (result.name, len(result.cues), result.keep_standby) == ("Test", 1, True)
    assert result.sender == "console-7-ab"
    assert result.path == str(tmp_path / "good")
    assert "wave" in result.clips


def test_no_show_gives_the_gestures_alone() -> None:
    result = get_ready_or_refuse(LoadRequest(""), profile())
    assert isinstance(result, PreparedShow)
    assert result.cues == () and "wave" in result.clips


def broken(text: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        (folder / "show.json").write_text(text)

    return damage


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda folder: (folder / "show.json").unlink(), "show.json"),
        (broken('{"schema": 2, "name": "x"'), "show.json"),
        (broken('{"schema": 2, "name": "x", "surprise": 1}'), "surprise"),
        (broken('{"schema": 9, "name": "x"}'), "schema"),
        (
            broken('{"schema": 2, "name": "x", "cues": [{"number": "1", "pre_wait_s": NaN}]}'),
            "line",
        ),
    ],
)
def test_a_bad_show_is_refused_in_one_sentence(
    tmp_path: Path, damage: Callable[[Path], None], words: str
) -> None:
    folder = good_show(tmp_path / "bad")
    damage(folder)
    result = get_ready_or_refuse(LoadRequest(str(folder)), profile())
    assert isinstance(result, ShowRefused)
    assert words in result.reason
    assert "\n" not in result.reason and "Traceback" not in result.reason


def test_missing_audio_is_refused(tmp_path: Path) -> None:
    track = VoiceTrack(clips=(VoiceClip(phrase="nobody"),))
    folder = write_show(tmp_path / "mute", Cue(number="1", tracks=(track,)))
    result = get_ready_or_refuse(LoadRequest(str(folder)), profile())
    assert isinstance(result, ShowRefused)
    assert "nobody" in result.reason


def test_a_cue_that_fails_stays_in_the_show_with_its_refusal(tmp_path: Path) -> None:
    folder = good_show(tmp_path / "fast")
    text = json.loads((folder / "show.json").read_text())
    text["settings"] = {"walk": {"forward": 1.0}}
    text["cues"][0]["tracks"][0]["clips"][0]["vx"] = 0.9
    (folder / "show.json").write_text(json.dumps(text))
    result = get_ready_or_refuse(LoadRequest(str(folder)), profile())
    assert isinstance(result, PreparedShow)
    assert "walks 0.90 m/s forward" in result.cues[0].refusal


class Inbox:
    """The messages of a topic."""

    def __init__(self, waiting: list[Any]) -> None:
        self._waiting = waiting

    def poll(self) -> list[Any]:
        found = [*self._waiting]
        self._waiting.clear()
        return found


class Line:
    """A connection whose messages a test puts in and takes out."""

    def __init__(self) -> None:
        self.waiting: dict[Any, list[Any]] = defaultdict(list)
        self.sent: list[Any] = []

    def subscribe(self, topic: Any) -> Inbox:
        return Inbox(self.waiting[topic])

    def publish(self, message: Any) -> None:
        self.sent.append(message)


def test_of_the_earlier_takes_that_are_wanted_only_the_newest_is_prepared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[int] = []
    goes_on = threading.Event()

    def prepare(request: BackingRequest, _profile: Profile) -> BackingRefused:
        begun.append(request.number)
        goes_on.wait(20.0)
        return BackingRefused(request.number, "why")

    monkeypatch.setattr(stagehand, "back_or_refuse", prepare)
    line = Line()
    hand = stagehand.Stagehand(line, profile())  # type: ignore[arg-type]

    def step_until(condition: Callable[[], bool]) -> None:
        def ask() -> bool | None:
            hand.step()
            return condition() or None

        wait_for(ask)

    try:
        for number in range(1, 5):
            line.waiting[topics.BACKING].append(BackingRequest(number, "/shows/nod.take"))
            hand.step()
        step_until(lambda: begun == [1])
        goes_on.set()
        step_until(lambda: BackingRefused(4, "why") in line.sent)
        assert begun == [1, 4]
    finally:
        goes_on.set()
        hand.close()


PROCESS = """
import sys
from core.run.launch import LaunchConfig
from core.run.lifeline import Lifeline
from core.stage import stagehand
sys.exit(stagehand.run(LaunchConfig.from_json(sys.argv[1]), Lifeline()))
"""


def wait_for(ask: Callable[[], T | None], seconds: float = 20.0) -> T:
    end = time.monotonic() + seconds
    while (found := ask()) is None:
        assert time.monotonic() < end, "nothing came"
        time.sleep(0.01)
    return found


@contextmanager
def serving(**environment: str) -> Iterator[tuple[Server, "subprocess.Popen[bytes]"]]:
    """Run the stagehand's process at a server."""
    config = LaunchConfig(endpoint=free_endpoint(), siblings=("stagehand",))
    with Server(config.endpoint, config.robot) as core:
        process = subprocess.Popen(
            [sys.executable, "-c", PROCESS, config.to_json()],
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
            cwd=ROOT,
        )
        try:
            assert core.await_siblings(("stagehand",), 20.0) == ()
            yield core, process
        finally:
            process.kill()
            process.wait()


def test_the_process_prepares_refuses_and_ends(tmp_path: Path) -> None:
    with serving() as (core, process):
        core.publish(LoadRequest(str(tmp_path / "nothing")))
        refused = wait_for(lambda: core.poll(topics.REFUSED))
        assert "does not exist" in refused.reason
        core.publish(LoadRequest(str(good_show(tmp_path / "good"))))
        data = wait_for(lambda: core.poll(topics.PREPARED))
        assert (
            PreparedShow.from_bytes(data, len(UpperJoints.from_table(body().table))).name == "Test"
        )
        process.terminate()
        assert process.wait(10) == 0


def test_the_process_answers_questions_about_poses_and_torques() -> None:
    robot = LaunchConfig("").robot
    with serving() as (core, _), Client(core.endpoint, robot, "console") as console:
        torques = console.subscribe(topics.TORQUE_ANSWER)
        verdicts = console.subscribe(topics.POSE_VERDICT)
        names = ("left_elbow",)
        broken = {"sender": console.sender, "number": 1, "joint_names": names}
        console.publish_bytes(topics.TORQUE_QUESTION, msgspec.msgpack.encode(broken))
        console.publish(TorqueQuestion(console.sender, 2, names, 50.0, (0.5,) * 4))
        console.publish(PoseQuestion(console.sender, 1, {"left_elbow": 0.5}))
        (answer,) = wait_for(lambda: torques.poll() or None)
        assert answer.number == 2 and len(answer.torque) == len(answer.most) == 4
        (verdict,) = wait_for(lambda: verdicts.poll() or None)
        assert verdict.number == 1


def test_the_process_keeps_and_forgets_the_handsets_layout(tmp_path: Path) -> None:
    layout = HandsetMap(buttons=("stop", *("none",) * 9))
    path = tmp_path / "footlight" / "robots" / "kid_cosmo" / "handset.json"
    with serving(XDG_CONFIG_HOME=str(tmp_path)) as (core, _):
        core.publish(KeepHandsetMap(layout))
        wait_for(lambda: path.exists() or None)
        assert read_kept(path) == (layout, "")
        core.publish(KeepHandsetMap(None))
        wait_for(lambda: not path.exists() or None)
