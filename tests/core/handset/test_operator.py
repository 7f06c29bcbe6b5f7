"""The handset in the loop: its commands, its silence, and changes of its layout."""

import math
from pathlib import Path

import msgspec
import numpy as np
import pytest

from core.handset.kept import keep, kept_path
from core.handset.operator import HandsetOperator, fit, head_reach, speeds
from core.link import commands as m
from core.link.catalogue import refusals as why
from core.link.catalogue.safety import DEVICE_TEXT
from core.link.catalogue.show import LAYOUT_UNUSABLE
from core.link.commands import Command, SetHandsetMap, Walk
from core.link.handset import HandsetMap
from core.link.requests import KeepHandsetMap
from core.link.status import Status
from core.link.wording import text
from core.plants.build import build_plant
from core.record.schema import tick_dtype
from core.record.tape import Tape
from core.safety.failsafe import Failsafe
from core.safety.flags import Flag, Flags
from core.safety.modes import Mode
from core.safety.rules import Action
from core.tick.loop import Loop
from core.tick.performer import Performer
from devices.interface import HandsetSample, Support, Trouble
from tests.core.handset.rig import LAYOUT, USES, HeldHandset
from tests.core.rig import StatueBody, profile, statue
from tests.core.rig import handset as handset_profile
from tests.core.tick.test_loop import Port

OTHER = HandsetMap(buttons=(*USES[1:], "stop"))


class Stage:
    """A loop over a statue, with a handset."""

    def __init__(self, fitted: bool = True) -> None:
        self.body, self.port = StatueBody(), Port()
        self.performer = Performer(profile(), build_plant(profile(), Support.FLOOR))
        self.held = HeldHandset()
        self.handset = HandsetOperator(self.held, self.performer, LAYOUT)
        tape = Tape(tick_dtype(28, 5, simulated=False), lambda block: None)
        handset = self.handset if fitted else None
        self.loop = Loop(self.body, self.performer, self.port, tape, handset=handset)

    def is_in(self, mode: Mode) -> bool:
        """Return whether the robot is in a mode."""
        return self.performer.mode is mode

    def tick(self, *commands: Command, ticks: int = 1) -> str:
        """Run some ticks with commands in the first; return the last call to the body."""
        self.port.ask(*commands)
        for _ in range(ticks):
            self.loop.tick()
        assert self.loop.failure is None
        return self.body.done[-1]

    def hold(self, *uses: str, dead_man: bool = False, forward: float = 0.0) -> None:
        sample = self.held.sample
        sample.buttons[:] = [use in uses for use in USES]
        sample.dead_man = dead_man
        sample.sticks[:] = (0.0, forward, 0.0, 0.0)

    def stand(self) -> None:
        """Switch the handset on, release it, and stand the robot up from the console."""
        self.held.on = True
        self.tick(ticks=260)
        self.tick(m.StandUp(), ticks=20)
        assert self.is_in(Mode.READY)

    def walk(self) -> None:
        """Walk by the handset."""
        self.hold(dead_man=True)
        self.tick()
        self.hold(dead_man=True, forward=1.0)
        self.tick()
        assert self.is_in(Mode.WALK)
        assert self.performer.velocity.tolist() == [0.2, 0.0, 0.0]


@pytest.fixture
def stage() -> Stage:
    return Stage()


def test_stop_needs_no_dead_man_and_damps_in_the_same_tick(stage: Stage) -> None:
    stage.stand()
    stage.hold("stop", forward=1.0)
    assert stage.tick() == "damp"
    assert stage.is_in(Mode.FAULT) and stage.performer.latch.pressed


def test_a_handset_that_is_lost_stands_and_holds_and_resumes_nothing(stage: Stage) -> None:
    stage.stand()
    stage.walk()
    stage.held.on = False
    stage.tick(ticks=249)
    assert stage.performer.velocity[0] == 0.2
    stage.tick(ticks=3)
    assert stage.performer.velocity.tolist() == [0.0, 0.0, 0.0]
    assert Flag.HANDSET_SILENT in stage.performer.flags
    stage.tick(ticks=250)
    assert stage.performer.action is Action.HOLD
    stage.held.on = True  # still held, as it was
    stage.tick(ticks=500)
    assert Flag.HANDSET_SILENT not in stage.performer.flags
    assert stage.performer.velocity.tolist() == [0.0, 0.0, 0.0]
    assert stage.performer.action is Action.HOLD  # until an operator makes a new request


def test_while_the_handset_walks_no_other_stick_does(stage: Stage) -> None:
    stage.stand()
    stage.walk()
    stage.tick(Walk(-0.1, 0.0, 0.0))
    assert stage.performer.velocity[0] == 0.2
    stage.hold(forward=1.0)
    stage.tick()
    assert stage.performer.velocity[0] == 0.0
    stage.tick(Walk(-0.1, 0.0, 0.0))
    assert stage.performer.velocity[0] == -0.1


def test_a_hold_by_the_handset_ends_another_stick_s_walk(stage: Stage) -> None:
    stage.stand()
    stage.tick(Walk(0.1))
    assert stage.performer.velocity[0] == 0.1
    stage.hold("hold", dead_man=True)
    stage.tick(Walk(0.1))
    stage.tick(Walk(0.1), ticks=20)
    stage.tick(Walk(0.1), ticks=20)
    assert stage.performer.velocity[0] == 0.0


def gather(stage: Stage, now_s: float, mode: Mode, age_s: float) -> float | None:
    """Return the handset's age in the facts."""
    stage.performer.modes.mode = mode
    stage.held.read = lambda now_s: _aged(age_s)  # type: ignore[method-assign]
    stage.handset.gather(now_s, statue(), [])
    return stage.performer.facts.handset_age_s


def _aged(age_s: float) -> HandsetSample:
    sample = HandsetSample.silent()
    sample.age_s = age_s
    return sample


def test_a_handset_that_was_never_heard_holds_nobody(stage: Stage) -> None:
    for mode in Mode:
        assert gather(stage, 1.0, mode, math.inf) is None


def test_silence_counts_where_it_began_while_the_robot_was_driven(stage: Stage) -> None:
    assert gather(stage, 1.0, Mode.READY, 0.0) == 0.0
    assert gather(stage, 3.0, Mode.READY, 2.0) == 2.0
    assert gather(stage, 5.0, Mode.DAMPED, 4.0) == 4.0
    assert gather(stage, 6.0, Mode.FAULT, 5.0) is None
    assert gather(stage, 7.0, Mode.READY, 6.0) is None


def test_a_handset_that_stays_lost_settles_the_robot_and_cuts_its_power(stage: Stage) -> None:
    failsafe, limit_s = Failsafe(), stage.performer.health.settings.link_silent_s
    mode, began_s = Mode.READY, {Action.NONE: 0.0}
    for step in range(180):
        now_s = 0.05 * step
        age_s = gather(stage, now_s, mode, now_s)
        assert age_s is not None
        silent = Flags.of(Flag.HANDSET_SILENT) if age_s > limit_s else Flags()
        action = failsafe.update(now_s, silent)
        if action not in began_s:
            began_s[action] = now_s
        if Action.SETTLE in began_s:
            mode = Mode.SETTLE if now_s < began_s[Action.SETTLE] + 2.0 else Mode.DAMPED
    wanted = {Action.WARN: 0.25, Action.HOLD: 0.5, Action.SETTLE: 3.0, Action.CUT: 8.0}
    for action, after_s in wanted.items():
        assert began_s[action] == pytest.approx(after_s, abs=0.101)
    assert gather(stage, 9.0, Mode.FAULT, 9.0) is None  # so that it can be reset without one


def test_a_handset_that_is_switched_off_while_the_robot_is_limp_is_no_fault(stage: Stage) -> None:
    assert gather(stage, 1.0, Mode.DAMPED, 0.0) == 0.0
    assert gather(stage, 2.0, Mode.DAMPED, 1.0) is None
    assert gather(stage, 3.0, Mode.STANDING_UP, 2.0) is None
    assert gather(stage, 4.0, Mode.READY, 0.1) == 0.1
    assert gather(stage, 5.0, Mode.READY, math.nan) is not None  # doubt is silence


def test_a_stick_that_is_held_keeps_the_robot_down(stage: Stage) -> None:
    stage.held.on = True
    stage.hold(forward=1.0)
    stage.tick(ticks=30)
    stage.tick(m.StandUp())
    assert stage.is_in(Mode.DAMPED)
    assert stage.port.said(why.REFUSED, reason=why.NOT_NEUTRAL())


def test_a_stand_up_by_the_handset(stage: Stage) -> None:
    stage.held.on = True
    stage.tick(ticks=260)
    stage.hold("stand_up", dead_man=True)
    stage.tick(ticks=990)
    assert stage.is_in(Mode.DAMPED)
    stage.tick(ticks=40)
    assert stage.is_in(Mode.READY)


def test_without_a_console_the_handset_does_not_stand_it_up(stage: Stage) -> None:
    stage.port.age_s = math.inf
    stage.held.on = True
    stage.tick(ticks=260)
    stage.hold("stand_up", dead_man=True)
    stage.tick(ticks=1100)
    assert stage.is_in(Mode.DAMPED)
    assert stage.port.said(why.REFUSED, reason=why.NO_CONSOLE())


def test_another_layout_is_taken_from_a_limp_robot_alone_and_kept(stage: Stage) -> None:
    stage.stand()
    stage.tick(SetHandsetMap(OTHER))
    assert stage.port.said(why.LAYOUT_REFUSED, reason=why.SETTLE_FIRST(mode="READY"))
    assert stage.handset.status().map == LAYOUT and stage.port.of(KeepHandsetMap) == []
    stage.tick(m.Stop())
    stage.tick(SetHandsetMap(OTHER))
    assert stage.handset.status().map == LAYOUT
    stage.tick(ticks=1100)
    stage.tick(m.Reset())
    stage.tick(SetHandsetMap(OTHER))
    assert stage.handset.status().map == OTHER
    stage.tick(SetHandsetMap(None))
    assert stage.handset.status().map == handset_profile().map
    assert stage.port.of(KeepHandsetMap) == [KeepHandsetMap(OTHER), KeepHandsetMap(None)]


def test_a_robot_without_a_handset_says_so() -> None:
    stage = Stage(fitted=False)
    stage.tick(SetHandsetMap(OTHER), ticks=30)
    assert (
        stage.port.said(why.LAYOUT_REFUSED, reason=why.NO_HANDSET())
        and stage.port.of(KeepHandsetMap) == []
    )
    assert stage.port.statuses[-1].handset is None
    assert stage.performer.facts.handset_age_s is None


def test_the_status_tells_what_is_held(stage: Stage) -> None:
    stage.tick(ticks=21)
    before = stage.port.statuses[-1].handset
    assert before is not None
    assert (before.heard, before.age_s, before.battery_v) == (False, None, None)
    stage.stand()
    stage.hold("hold", dead_man=True, forward=0.5)
    stage.held.sample.battery_v = 3.9
    stage.tick(ticks=25)
    status = stage.port.statuses[-1]
    now = status.handset
    assert now is not None and now.heard and now.needed and now.dead_man
    assert now.buttons == tuple(use == "hold" for use in USES)
    assert (now.sticks, now.battery_v, now.map) == ((0.0, 0.5, 0.0, 0.0), 3.9, LAYOUT)
    assert now.note == why.REST_FIRST()
    assert msgspec.json.decode(msgspec.json.encode(status), type=Status) == status


def test_the_screen_is_filled_five_times_a_second_with_mode_charge_and_alarm(
    stage: Stage,
) -> None:
    stage.tick(ticks=1000)
    assert 5 <= len(stage.held.shown) <= 6
    shown = stage.held.shown[-1]
    assert (shown.mode, shown.charge, shown.battery_v) == ("DAMPED", 0.9, 24.0)
    assert (shown.alarm, shown.severity) == ("", 0)
    stage.tick(m.Stop(), ticks=250)
    shown = stage.held.shown[-1]
    assert (shown.mode, shown.alarm, shown.severity) == ("FAULT", "STOP was pressed.", 3)


def test_the_screen_tells_why_what_is_asked_does_not_count(stage: Stage) -> None:
    stage.held.on = True
    stage.hold("go", dead_man=True)
    stage.tick(ticks=250)
    shown = stage.held.shown[-1]
    assert shown.alarm == text(why.REST_FIRST()) and shown.severity == 1


def test_a_trouble_is_told_once_and_stands_in_the_status(stage: Stage) -> None:
    stage.held.wrong = (Trouble("handset receiver", "unplugged; check the adapter's USB plug"),)
    stage.tick(ticks=1000)
    trouble = DEVICE_TEXT(device="handset receiver", text="unplugged; check the adapter's USB plug")
    said = [event for event in stage.port.events if event.fields == trouble.fields]
    assert [(event.actor, event.code) for event in said] == [("handset", DEVICE_TEXT.code)]
    assert stage.handset.status().troubles == ("unplugged; check the adapter's USB plug",)
    assert stage.performer.facts.handset_trouble == trouble
    stage.held.wrong = ()
    stage.tick(ticks=250)
    assert stage.handset.status().troubles == ()
    assert stage.performer.facts.handset_trouble is None


def test_the_operators_own_layout_is_used_and_a_bad_one_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    performer = Performer(profile(), build_plant(profile(), Support.FLOOR))
    handset = fit(HeldHandset(), performer)
    assert handset.status().map == handset_profile().map
    keep(kept_path("kid_cosmo"), OTHER)
    assert fit(HeldHandset(), performer).status().map == OTHER
    assert performer.take_events() == []
    kept_path("kid_cosmo").write_text("{")
    assert fit(HeldHandset(), performer).status().map == handset_profile().map
    assert [event.code for event in performer.take_events()] == [LAYOUT_UNUSABLE.code]


def test_speeds_and_reach_are_the_robots(stage: Stage) -> None:
    bounds, gait = speeds(handset_profile()), profile().as_biped.gait
    assert 0.0 < bounds.forward <= gait.max_speed_forward
    assert 0.0 < bounds.turning <= gait.max_yaw_rate
    reach = head_reach(stage.performer.joints)
    assert reach is not None and reach.right < 0.0 < reach.left and reach.up < 0.0 < reach.down


def test_a_quiet_tick_makes_nothing(stage: Stage) -> None:
    """A tick without a new frame of the handset returns the given list of commands."""
    stage.stand()
    others: list[tuple[str, Command]] = []
    sample = statue()
    stage.held.sample.sticks[:] = np.zeros(4)
    assert stage.handset.gather(stage.body.fake_clock.time_s, sample, others) is others
