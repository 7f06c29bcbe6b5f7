"""A cue is composed from nothing, by mouse and keyboard, saved, opened again, and played."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.record.reader import read
from core.robot.joint_table import joint_table
from core.robot.profile_file import load_profile
from core.run.launch import LaunchConfig
from shows.document import Cue, GestureClip, Show, VoiceClip, WalkClip
from shows.jsonfile import decode
from shows.motion import load_motion
from tests.shows.examples import write_wav
from tests.system import inside
from tests.system.operating import ask, press, stand, undisturbed
from tests.system.screen import MARKS, REPOSITORY, Rehearsal, Screen, until

pytestmark = MARKS
GESTURES = ("wave", "salute", "shrug")
SOUND = "fanfare"
ROBOT = LaunchConfig("").robot
MOTIONS = REPOSITORY / "shows" / "library" / "gestures"
STEP_S = 0.03
NAME = "composed"


@pytest.fixture
def screen() -> Iterator[Screen]:
    with closing(Screen("1920x1080x24")) as found:
        yield found


class Hands:
    """Mouse and keyboard at a console that says where its parts are."""

    def __init__(self, screen: Screen, asker: inside.Asker) -> None:
        self.screen, self.asker = screen, asker

    def where(self, what: str, *words: Any) -> list[int]:
        """Return where something is on the screen, once it is there."""
        found: list[int] = until(lambda: self._asked(what, *words), f"{what} {words} is seen")
        return found

    def _asked(self, what: str, *words: Any) -> Any:
        try:
            return self.asker.ask(what, *words)
        except ConnectionRefusedError:
            return None

    def drag(self, start: list[int], *way: list[int]) -> None:
        """Drag from a place over others to the last, as a hand does."""
        self.move(start)
        self.screen.do("mousedown", "1")
        time.sleep(0.1)
        before = start
        for place in way:
            for share in np.linspace(0.1, 1.0, 10):
                self.move([round(a + share * (b - a)) for a, b in zip(before, place, strict=True)])
            before = place
        time.sleep(0.2)
        self.screen.do("mouseup", "1")

    def move(self, place: list[int]) -> None:
        self.screen.do("mousemove", str(place[0]), str(place[1]))
        time.sleep(STEP_S)

    def clips(self, kind: str) -> list[dict[str, Any]]:
        """Return the clips of a type on the timeline."""
        return [clip for clip in self.asker.ask("clips") if clip["type"] == kind]

    def title(self, words: str) -> None:
        until(lambda: words in self.screen.title(), f"the window says {words}")


@pytest.mark.long
def test_a_cue_is_composed_saved_opened_and_played(screen: Screen, tmp_path: Path) -> None:
    record = tmp_path / "run.mcap"
    sound = tmp_path / f"{SOUND}.wav"
    write_wav(sound, 1.0)
    with closing(inside.Asker()) as asker, pytest.MonkeyPatch.context() as patch:
        patch.setenv(inside.ADDRESS, asker.name)
        rehearsal = Rehearsal(screen, tmp_path, "--log", str(record), module=inside.MODULE)
        with rehearsal:
            rehearsal.listen()
            hands = Hands(screen, asker)
            rehearsal.see("the core has a show", lambda s: bool(s.show), 90.0)
            compose(hands, sound)
            cue = save_and_open(hands, tmp_path)
            rehearsal.see("the core has it", lambda s: s.show == NAME, 90.0)
            undisturbed(rehearsal, lambda: play(screen, rehearsal))
    compare(cue, record)


def compose(hands: Hands, sound: Path) -> None:
    """Make a show with one cue: three gestures, a sound, a walk."""
    screen = hands.screen
    press(screen, "ctrl+n")
    hands.title("ntitled")
    press(screen, "Insert")
    screen.do("type", "Greeting")
    screen.key("Return", "ctrl+7")
    hands.where("place", "timeline_canvas")
    for count, name in enumerate(GESTURES):
        drop_gesture(hands, name, 0.5 + 6.0 * count, count)
        screen.key("f", "minus", "minus", "minus", "minus")
    drop_sound(hands, sound)
    press(screen, "ctrl+7", "Home", "d")
    left, top, width, height = hands.where("view")
    middle = [left + width // 2, top + height // 2]
    hands.drag(middle, [middle[0], middle[1] - height // 4])
    until(lambda: bool(hands.clips("WalkClip")), "the walk is on its track")


def drop_gesture(hands: Hands, name: str, at_s: float, count: int) -> None:
    """Drag a gesture onto the timeline; again, if the timeline still zoomed meanwhile."""
    for _ in range(5):
        track = -1 if count == 0 else 0
        hands.drag(hands.where("tile", name), hands.where("moment", at_s, track))
        until(partial(_count, hands, count + 1), f"{name} is a clip")
        (clip,) = (clip for clip in hands.clips("GestureClip") if clip["motion"] == name)
        if abs(clip["start_s"] - at_s) < 1.0:
            return
        press(hands.screen, "ctrl+z")
        until(partial(_count, hands, count), f"{name} is no clip any more")
    raise AssertionError(f"{name} does not lie at {at_s} s")


def _count(hands: Hands, count: int) -> bool:
    return len(hands.clips("GestureClip")) == count


def drop_sound(hands: Hands, sound: Path) -> None:
    """Drag a file from another program onto the timeline."""
    source = subprocess.Popen(
        [sys.executable, "-P", "-m", "tests.system.drag_source", str(sound)],
        env=hands.screen.environment() | {"PYTHONPATH": str(REPOSITORY)},
    )
    try:
        seen = lambda: bool(hands.screen.do("search", "--name", "a file on the desktop"))  # noqa: E731
        until(seen, "the file is there")
        for _ in range(5):
            hands.drag([40, 14], [200, 300], hands.where("moment", 3.0))
            try:
                until(lambda: bool(hands.clips("VoiceClip")), "the sound is a clip", 5.0)
                return
            except AssertionError:
                continue
        raise AssertionError("the sound was not dropped")
    finally:
        source.kill()
        source.wait()


def save_and_open(hands: Hands, folder: Path) -> Cue:
    """Save the show, open another one and this one again; return its cue."""
    screen, show = hands.screen, folder / NAME
    press(screen, "ctrl+s")
    until(lambda: "sheet" in hands.asker.ask("focus").get("within", ()), "a name is wanted")
    screen.key("ctrl+a")
    screen.do("type", NAME)
    type_folder(hands, folder)
    screen.key("Return")
    until(lambda: (show / "show.json").is_file(), "it is saved")
    hands.title(f"{NAME} ")
    before = (show / "show.json").read_bytes()
    (cue,) = decode(before, Show, "show.json").cues
    seen = hands.asker.ask("clips")
    press(screen, "ctrl+n")
    hands.title("ntitled")
    open_show(hands, show)
    until(lambda: hands.asker.ask("clips") == seen, "the timeline shows what was saved")
    press(screen, "ctrl+s")
    time.sleep(1.0)
    assert (show / "show.json").read_bytes() == before
    assert (show / "audio" / f"{SOUND}.wav").is_file()
    return cue


def type_folder(hands: Hands, folder: Path) -> None:
    """Go to a folder in the sheet that has the keys."""
    screen = hands.screen
    for _ in range(12):
        focus = hands.asker.ask("focus")
        if focus.get("name") == "Folder or show":
            screen.key("ctrl+a")
            screen.do("type", str(folder))
            screen.key("Return")
            break
        screen.key("Tab")
    for _ in range(12):
        focus = hands.asker.ask("focus")
        if focus.get("text") == NAME:
            return
        screen.key("Tab")
    raise AssertionError("the sheet has no such fields")


def open_show(hands: Hands, show: Path) -> None:
    screen = hands.screen
    press(screen, "ctrl+o")
    until(lambda: "sheet" in hands.asker.ask("focus").get("within", ()), "a show is wanted")
    for _ in range(12):
        if hands.asker.ask("focus").get("name") == "Folder or show":
            break
        screen.key("Tab")
    screen.key("ctrl+a")
    screen.do("type", str(show))
    screen.key("Return")
    hands.title(f"{NAME} ")


def play(screen: Screen, rehearsal: Rehearsal) -> None:
    """Play the cue to its end."""
    stand(screen, rehearsal)
    ask(screen, rehearsal, "space", "go")
    rehearsal.see("it runs", lambda s: bool(s.running_cues))
    rehearsal.see("it has ended", lambda s: not s.running_cues and s.mode == "READY", 120.0)
    assert not rehearsal.heard("cue_stopped")


def compare(cue: Cue, path: Path) -> None:
    """Compare what the robot was asked to do with the document."""
    clips = list(cue.clips())
    gestures = [clip for clip in clips if isinstance(clip, GestureClip)]
    walks = [clip for clip in clips if isinstance(clip, WalkClip)]
    assert {clip.motion for clip in gestures} == set(GESTURES)
    assert [clip.phrase for clip in clips if isinstance(clip, VoiceClip)] == [SOUND]
    run = read(path)
    told = zip(run.event_t, run.event_text, strict=True)
    began_s = [time_s for time_s, said in told if f"cue {cue.number} starts" in said][-1]
    times_s = run.column("t") - began_s
    moving = times_s[np.abs(run.column("velocity_command")[:, 0]) > 1e-3]
    assert moving.min() == pytest.approx(walks[0].start_s, abs=0.1)
    assert moving.max() == pytest.approx(walks[-1].start_s + walks[-1].length_s, abs=0.1)
    asked, joints = run.column("q_command"), run.hello.joint_names
    for clip in gestures:
        motion = load_motion(MOTIONS / f"{clip.motion}.json", joint_table(load_profile(ROBOT)))
        # Between its blends the robot is asked for the motion itself.
        for share in (0.3, 0.5, 0.7):
            at_s = share * motion.duration_s
            row = int(np.searchsorted(times_s, clip.start_s + at_s))
            wanted = motion.positions[round(at_s * motion.rate_hz)]
            places = [i for i, name in enumerate(motion.joint_names) if name in joints]
            columns = [joints.index(motion.joint_names[i]) for i in places]
            assert np.abs(asked[row, columns] - wanted[places]).max() < 0.06, (clip.motion, at_s)
