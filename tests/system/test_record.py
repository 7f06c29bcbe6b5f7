"""Pull an arm, trim, smooth, mirror, name, drop on the timeline, GO: by mouse and keyboard only."""

import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from core.behave.variety import Variety
from core.link.catalogue.takes import OPERATOR_ENDED
from core.link.status import Status
from core.record.reader import Recording, read
from core.robot.joint_table import joint_table
from core.robot.profile import REST
from core.robot.profile_file import load_profile
from core.run.launch import LaunchConfig
from shows.document import Cue, Show
from shows.joints import Floats
from shows.process.recipe import Recipe, load_recipe
from shows.process.steps import Mirror, Smooth, Trim
from shows.storage import save_show
from shows.take import Take, read_take
from tests.system import inside
from tests.system.keystrokes import Operator, Place
from tests.system.operating import stand, undisturbed
from tests.system.screen import MARKS, Rehearsal, Screen, until

pytestmark = MARKS
ROBOT = LaunchConfig("").robot
NAME, TITLE, GESTURE = "gala", "Over here", "over_here"
LINK, PULLED, MIRRORED = "left_forearm", "left_arm", "right_arm"
CLEAN_UP, PLAY, ENDED = "Clean up the take", "Play on the robot", OPERATOR_ENDED.code
COUNT_IN_S = 3.0
WAY = ((0, 0), (22, -26), (6, -6), (22, -26), (5, -5))  # of the pull, which ends at rest [pixels]
STEP_S = 0.08  # of each twentieth of its parts
PULL_S = 20.0 * STEP_S * (len(WAY) - 1)
PAUSE_S = 0.8  # of the hand, before it moves and after
BLEND_S = 1.2  # at both ends of a gesture, in which it is led in and out
AT_MOST_S = 120.0  # of an experienced operator
FOLLOWED_RAD = np.radians(1.0)  # rms of a joint
SWING_RAD = np.radians(30.0)


class Desk:
    """The operator before the console, which says where its parts are.

    Attributes:
        operator: whose time is estimated.
        path: file of the take.
    """

    def __init__(self, screen: Screen, rehearsal: Rehearsal, asker: inside.Asker) -> None:
        self.operator, self.path = Operator(screen), Path()
        self._screen, self._rehearsal, self._asker = screen, rehearsal, asker

    def record(self) -> None:
        """Release the arm, and record while the mouse pulls at it."""
        self.operator = Operator(self._screen)  # of the attempt that nothing disturbs
        operator = self.operator
        operator.press("ctrl+shift+9")
        self._ask(self._button, "L arm: Floating", holds=lambda s: "floating" in s.freedoms)
        self._ask(operator.press, "F4", holds=_is_in("counting", "recording"))
        self._rehearsal.see("it records", _is_in("recording"))
        time.sleep(PAUSE_S)
        x, y = self._where("link", LINK)
        operator.drag(*([x + right, y + down] for right, down in WAY), pace_s=STEP_S)
        time.sleep(PAUSE_S)
        self._ask(operator.press, "F4", holds=_is_in("saved"))
        take = self._rehearsal.see("it is kept", _is_in("saved")).take
        assert take is not None and take.ended is not None and take.ended.code == ENDED
        operator.wait(COUNT_IN_S + take.saved_s)
        self.path = Path(take.path)
        assert take.saved_s > 2.0 * PAUSE_S + PULL_S, "the whole pull is in it"

    def make_gesture(self) -> None:
        """Make a gesture of the newest take: trim and smooth, mirror, name, save."""
        operator = self.operator
        operator.click(self._where("tab", "record_panel", "Takes ("))
        self._open("Make a motion (take)", "button", CLEAN_UP)
        self._button(CLEAN_UP)
        self._open("Add a step", "entry", "Mirror")
        operator.click(self._where("entry", "Mirror"))
        assert self._asker.ask("button", PLAY) is None, "nothing is saved yet"
        operator.click(self._where("named", "Name of the gesture"))
        operator.type(TITLE)
        operator.press("Return")
        self._where("button", PLAY)

    def perform(self) -> None:
        """Put the gesture on the timeline, end RECORD, and GO."""
        self._button("Put the gesture on the timeline")
        until(lambda: len(self._asker.ask("clips")) == 1, "the gesture is a clip")
        self._ask(self._button, "End RECORD", holds=lambda s: s.mode == "READY")
        until(lambda: self._asker.ask("published"), "the core has the cue")
        self._ask(self.operator.press, "space", holds=lambda s: bool(s.running_cues))
        self._rehearsal.see("it has ended", lambda s: not s.running_cues and s.mode == "READY")

    def _ask(
        self, deed: Callable[[str], None], word: str, *, holds: Callable[[Status], bool]
    ) -> None:
        """Do something until the core has followed."""

        def look() -> bool:
            status = self._rehearsal.status()
            return status is not None and holds(status)

        self.operator.until(lambda: deed(word), look, f"{word} has an effect")

    def _open(self, name: str, *seen: str) -> None:
        """Press a button until something is seen."""
        there = partial(self._asker.ask, *seen)
        self.operator.until(lambda: self._button(name), lambda: bool(there()), f"{seen} is seen")

    def _button(self, name: str) -> None:
        self.operator.click(self._where("button", name))

    def _where(self, what: str, *words: str) -> Place:
        """Return where something is on the screen, once it is there."""
        found: Place = until(lambda: self._asker.ask(what, *words), f"{what} {words} is seen")
        return found


def _is_in(*stages: str) -> Callable[[Status], bool]:
    """Return what tells whether the take is in one of some stages."""
    return lambda status: status.take is not None and status.take.stage in stages


@pytest.mark.long
def test_an_arm_is_pulled_and_the_other_one_performs(screen: Screen, tmp_path: Path) -> None:
    folder, log = tmp_path / NAME, tmp_path / "run.mcap"
    save_show(Show(name=NAME, cues=(Cue(number="1", name="Wave"),)), folder, (), {})
    with closing(inside.Asker()) as asker, pytest.MonkeyPatch.context() as patch:
        patch.setenv(inside.ADDRESS, asker.name)
        options = (str(folder), "--log", str(log))
        rehearsal = Rehearsal(screen, tmp_path / "home", *options, module=inside.MODULE)
        with rehearsal:
            rehearsal.listen()
            desk = Desk(screen, rehearsal, asker)
            stand(screen, rehearsal)
            until(lambda: asker.ask("clips") == [], "the cue has no clip yet")
            undisturbed(rehearsal, desk.record)
            before = desk.path.read_bytes()
            desk.make_gesture()
            desk.perform()
    told = desk.operator.told()
    print(told)
    assert desk.operator.time_s < AT_MOST_S, told
    assert desk.path.read_bytes() == before, "the raw take has changed"
    recipe = load_recipe(folder / "takes" / f"{GESTURE}.recipe")
    compare(read_take(desk.path), recipe, read(log))


def compare(take: Take, recipe: Recipe, run: Recording) -> None:
    """Compare what the other arm did, in the size of this performance, with what the hand did."""
    assert recipe.take == f"{take.name}.take"
    kinds = [type(step) for step in recipe.steps]
    assert {Trim, Smooth, Mirror} <= set(kinds), kinds
    trim = next(step for step in recipe.steps if isinstance(step, Trim))
    profile = load_profile(ROBOT)
    table, rest_q = joint_table(profile), profile.posture(REST)
    size, _ = Variety(run.hello.seed, profile.motion).draw(GESTURE, "size")
    other = {table.role_of[name]: name for name in table.joints_of[MIRRORED]}
    (began_s,) = (
        time_s
        for time_s, said in zip(run.event_t, run.event_text, strict=True)
        if "cue 1 starts" in said
    )
    times_s = run.column("t") - began_s
    within = (times_s > BLEND_S) & (times_s < trim.end_s - trim.start_s - BLEND_S)
    measured, times_s = run.column("q")[within], times_s[within]
    swings = []
    for name in table.joints_of[PULLED]:
        pulled: Floats = take.positions[:, take.head.joint_names.index(name)]
        place = run.hello.joint_names.index(other[table.role_of[name]])
        did, rest_rad = measured[:, place], rest_q[place]
        wanted = np.interp(times_s + trim.start_s, take.time_s, pulled)
        wanted = rest_rad + size * (wanted - rest_rad)
        rms_rad = float(np.sqrt(np.square(did - wanted).mean()))
        swings.append(np.ptp(did))
        print(f"{name}: {np.degrees(rms_rad):.2f}° rms, {np.degrees(np.ptp(did)):.0f}° wide")
        assert rms_rad < FOLLOWED_RAD, name
    assert max(swings) > SWING_RAD, "the hand has moved the arm"
